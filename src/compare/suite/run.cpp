#include "compare/suite/run.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "ballotcast/error.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// The results of the cases with the same scene. One thread draws them one after another.
using Group = std::vector<SuiteResult*>;

/// What is approved for the case that was judged last. This is kept, because the setups of a case
/// are judged one after another.
struct LastApproved {
  const SuiteCase* suite_case = nullptr;
  Approved approved;

  const Approved& of(const Suite& suite, const SuiteCase& c, CaseRenderer& renderer_of_cases) {
    if (suite_case != &c) approved = approved_of(suite, c, renderer_of_cases);
    suite_case = &c;
    return approved;
  }
};

void draw_and_judge(const Suite& suite, CaseRenderer& renderer_of_cases, LastApproved& last,
                    SuiteResult& result) {
  const SuiteCase& c = *result.suite_case;
  const Stopwatch watch;
  try {
    result.drawing = renderer_of_cases.draw(c, result.setup);
    if (!result.drawing.skipped.empty()) {
      result.judgement = judge(c, result.setup, {}, result.drawing);
      return;
    }
    const Approved& approved = last.of(suite, c, renderer_of_cases);
    result.judgement = judge(c, result.setup, approved, result.drawing);
    if (result.judgement.verdict != CaseVerdict::same) result.approved = approved;
  } catch (const std::exception& error) {
    result.judgement.verdict = CaseVerdict::failed;
    result.judgement.why = error.what();
  }
  result.milliseconds = watch.milliseconds();
  result.drawing.hits = {};
  // Pictures that are as approved are not kept, because a suite may have thousands of them.
  if (result.judgement.verdict == CaseVerdict::same) result.drawing = {};
}

/// The result whose case is used for the controls: the cheapest one with the verdict same; if there
/// is none, the cheapest one within limits. Null if no case passed.
const SuiteResult* control_subject(const std::vector<SuiteResult>& results) {
  const SuiteResult* best = nullptr;
  const auto cost = [](const SuiteResult& r) {
    const SuiteCase& c = *r.suite_case;
    return std::pair(
        r.judgement.verdict != CaseVerdict::same,
        c.is_command() ? ~u64{0}
                       : u64{c.picture.width} * c.picture.height * std::max(1u, c.picture.samples));
  };
  for (const SuiteResult& result : results)
    if (info_of(result.judgement.verdict).outcome == CaseOutcome::ok &&
        (!best || cost(result) < cost(*best)))
      best = &result;
  return best;
}

void try_controls(const Suite& suite, SuiteRun& run) {
  const SuiteResult* subject = control_subject(run.results);
  if (!subject) return;
  run.controls_on = subject->name();
  try {
    CaseRenderer renderer_of_cases(suite);
    const SuiteCase& c = *subject->suite_case;
    run.controls = run_controls(c, subject->setup, approved_of(suite, c, renderer_of_cases),
                                renderer_of_cases);
  } catch (const std::exception& error) {
    run.errors.push_back("the negative controls could not be tried on " + run.controls_on + ": " +
                         error.what());
  }
}

/// Adds to `run` the errors that are not about a single case.
void complain(const Suite& suite, const SuiteRequest& request, SuiteRun& run) {
  for (const std::string& device : request.require) {
    const std::string why = unusable(device);
    const bool tried = std::any_of(run.results.begin(), run.results.end(), [&](const auto& r) {
      return r.setup.renderer.device == device && r.judgement.verdict != CaseVerdict::skipped;
    });
    if (!why.empty())
      run.errors.push_back(device + " is required, but can't be used: " + why);
    else if (!tried)
      run.errors.push_back(device + " is required, but no case was drawn on it");
  }
  std::set<std::string_view> cases;
  for (const SuiteCase& c : suite.cases) cases.insert(c.name);
  if (request.only.empty())
    for (const auto& [name, approval] : suite.approved)
      if (!cases.contains(name))
        run.errors.push_back(
            "'" + name +
            "' was approved and is no longer a case; `ballotcast accept --retire` removes it");
  if (run.count(CaseOutcome::skipped) == run.results.size())
    run.errors.push_back("nothing could be compared here");
}

}  // namespace

std::string SuiteResult::name() const {
  return suite_case->name + (setup.has_device() ? " on " + setup.in_words() : "");
}

std::size_t SuiteRun::count(CaseVerdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(),
                    [&](const SuiteResult& r) { return r.judgement.verdict == verdict; }));
}

std::size_t SuiteRun::count(CaseOutcome outcome) const {
  return static_cast<std::size_t>(std::count_if(
      results.begin(), results.end(),
      [&](const SuiteResult& r) { return info_of(r.judgement.verdict).outcome == outcome; }));
}

std::vector<std::string> SuiteRun::all_errors() const {
  std::vector<std::string> all = errors;
  for (const ControlResult& control : controls)
    if (control.tried && !control.noticed)
      all.push_back("negative control '" + control.name +
                    "' was not noticed: this suite can't be trusted");
  return all;
}

bool SuiteRun::passed() const { return all_errors().empty() && count(CaseOutcome::failed) == 0; }

bool fits(std::string_view pattern, std::string_view name) {
  // After a mismatch, only the last * has to be tried again, with one character more.
  std::size_t p = 0, n = 0, star = pattern.npos, retry = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<const SuiteCase*> chosen_cases(const Suite& suite,
                                           const std::vector<std::string>& only) {
  std::vector<const SuiteCase*> chosen;
  for (const SuiteCase& c : suite.cases)
    if (only.empty() || std::any_of(only.begin(), only.end(),
                                    [&](const std::string& p) { return fits(p, c.name); }))
      chosen.push_back(&c);
  for (const std::string& pattern : only)
    if (std::none_of(suite.cases.begin(), suite.cases.end(),
                     [&](const SuiteCase& c) { return fits(pattern, c.name); })) {
      std::vector<std::string> names;
      for (const SuiteCase& c : suite.cases) names.push_back(c.name);
      const std::string best = nearest(pattern, names);
      throw UsageError(suite.path + " has no case '" + pattern + "'" +
                       (best.empty() ? "; its first is '" + names.front() + "'"
                                     : "; did you mean " + best + "?"));
    }
  return chosen;
}

SuiteRun run_suite(const Suite& suite, const SuiteRequest& request) {
  const Stopwatch watch;
  SuiteRun run;
  for (const SuiteCase* c : chosen_cases(suite, request.only))
    for (const Setup& setup : setups_of(*c, request.devices))
      run.results.push_back({c, setup, {}, {}, {}, 0.0});

  std::vector<Group> groups;
  std::map<std::string, std::size_t> group_of_scene;
  for (SuiteResult& result : run.results) {
    const SuiteCase& c = *result.suite_case;
    if (c.is_command()) {
      groups.push_back({&result});
      continue;
    }
    const auto [group, is_new] = group_of_scene.try_emplace(c.scene, groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].push_back(&result);
  }

  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  u64 done = 0;
  std::exception_ptr trouble;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < groups.size();) {
      CaseRenderer renderer_of_cases(suite);
      LastApproved last;
      try {
        for (SuiteResult* result : groups[i]) {
          draw_and_judge(suite, renderer_of_cases, last, *result);
          const std::lock_guard lock(mutex);
          if (request.progress) request.progress(++done, run.results.size());
        }
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!trouble) trouble = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      run.machines.insert(renderer_of_cases.machines().begin(), renderer_of_cases.machines().end());
      for (std::string& warning : renderer_of_cases.warnings())
        run.warnings.push_back(std::move(warning));
    }
  };
  std::vector<std::thread> workers;
  try {
    for (u32 i = 1; i < std::min<std::size_t>(request.jobs, groups.size()); ++i)
      workers.emplace_back(work);
    // If the system can't start more threads, the threads that run do all the work
  } catch (const std::system_error&) {
  }
  work();
  for (std::thread& worker : workers) worker.join();
  if (trouble) std::rethrow_exception(trouble);

  try_controls(suite, run);
  complain(suite, request, run);
  run.milliseconds = watch.milliseconds();
  return run;
}

}  // namespace ballotcast::detail
