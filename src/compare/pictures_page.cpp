#include "compare/pictures_page.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "compare/comparison.hpp"
#include "compare/metrics/metric.hpp"
#include "image/codec.hpp"
#include "support/json.hpp"
#include "support/page.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

/// The files of page/, which tools/cmake/embed.cmake embeds in the program. They contain the
/// placeholders {{title}}, {{data}}, {{pictures}} and {{plain}}.
extern const PageFiles kPicturesPage;

namespace {

std::string rgba_in_words(const std::array<u16, 4>& rgba) {
  std::string words;
  for (const u16 value : rgba) words += (words.empty() ? "" : ", ") + std::to_string(value);
  return words;
}

// The names that the page shows for the measures different_percent and max_error.
constexpr const char *kDifferent = "pixels that differ", *kLargest = "largest difference";

/// The name of the row of the page that shows `measure`.
std::string row_of(std::string measure) {
  std::replace(measure.begin(), measure.end(), '_', ' ');
  if (measure == "different percent" || measure == "percent different") return kDifferent;
  return measure == "max" || measure == "max error" ? kLargest : measure;
}

std::string_view as_text(const std::vector<u8>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void append_base64(std::string& out, const std::vector<u8>& bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const u32 three = static_cast<u32>(bytes[i]) << 16 |
                      static_cast<u32>(left > 1 ? bytes[i + 1] : 0) << 8 |
                      static_cast<u32>(left > 2 ? bytes[i + 2] : 0);
    out += kDigits[three >> 18];
    out += kDigits[three >> 12 & 63];
    out += left > 1 ? kDigits[three >> 6 & 63] : '=';
    out += left > 2 ? kDigits[three & 63] : '=';
  }
}

/// Collects the pictures of a page, and writes one HTML element for each. The script of the page
/// decodes a picture when it is first shown.
class Album {
 public:
  /// Returns the number of the picture with these bytes, and adds it if it is new; returns null if
  /// `bytes` is empty. Equal bytes give the same number. `bytes` must stay valid.
  Json number_of(const std::vector<u8>& bytes) {
    if (bytes.empty()) return nullptr;
    const auto [place, is_new] = numbers_.emplace(as_text(bytes), numbers_.size());
    if (is_new) {
      elements_ +=
          "<script type=\"text/plain\" id=\"picture-" + std::to_string(place->second) + "\">";
      append_base64(elements_, bytes);
      elements_ += "</script>\n";
    }
    return place->second;
  }

  std::string elements() && { return std::move(elements_); }

 private:
  std::unordered_map<std::string_view, std::size_t> numbers_;
  std::string elements_;
};

const char* outcome_name(PageOutcome outcome) {
  switch (outcome) {
    case PageOutcome::ok:
      return "ok";
    case PageOutcome::failed:
      return "failed";
    case PageOutcome::to_review:
      return "to review";
    case PageOutcome::skipped:
      break;
  }
  return "skipped";
}

Json page_json(const PageWords& words) {
  Json json = Json::array();
  for (const auto& [key, value] : words) json.push_back(Json::array({key, value}));
  return json;
}

Json page_json(const PageNumber& number) {
  return {{"name", number.name},
          {"value", number.value},
          {"limit", number.limit},
          {"kept", number.kept}};
}

Json page_json(const PageCheck& check) {
  return {
      {"name", check.name}, {"expected", check.expected}, {"got", check.got}, {"same", check.same}};
}

Json page_json(const PagePixel& pixel) {
  return {{"x", pixel.x}, {"y", pixel.y}, {"reference", pixel.reference}, {"result", pixel.result}};
}

Json page_json(const PageAcceptance& acceptance) {
  return {{"date", acceptance.date},       {"reason", acceptance.reason},
          {"version", acceptance.version}, {"before", acceptance.before},
          {"after", acceptance.after},     {"what", acceptance.what}};
}

Json page_json(const PageApproval& approval) {
  return {{"of", approval.of},
          {"before", approval.before},
          {"after", approval.after},
          {"folder", approval.folder}};
}

template <class T>
Json array_of(const std::vector<T>& items) {
  Json json = Json::array();
  for (const T& item : items) json.push_back(page_json(item));
  return json;
}

Json page_json(const PageCasePictures& pictures, Album& album) {
  const std::vector<u8>& result =
      pictures.result_is_reference ? pictures.reference : pictures.result;
  return {{"reference", album.number_of(pictures.reference)},
          {"result", album.number_of(result)},
          {"difference", album.number_of(pictures.difference)},
          {"flip", album.number_of(pictures.flip)}};
}

Json page_json(const PageCase& c, Album& album) {
  return {{"name", c.name},
          {"verdict", c.verdict},
          {"outcome", outcome_name(c.outcome)},
          {"why", c.why},
          {"needed", c.needed},
          {"axes", page_json(c.axes)},
          {"pictures", page_json(c.pictures, album)},
          {"numbers", array_of(c.numbers)},
          {"checks", array_of(c.checks)},
          {"worst", c.worst ? page_json(*c.worst) : Json()},
          {"approval", c.approval ? page_json(*c.approval) : Json()},
          {"history", array_of(c.history)}};
}

/// HTML with the command that approves a case, for readers without scripts.
std::string plain_approval(const PageCase& c) {
  if (!c.approval) return "";
  const PageApproval& a = *c.approval;
  return "<br>To approve it, write the reason in place of the dots and run" +
         (a.folder.empty() ? "" : " in <code>" + escaped_html(a.folder) + "</code>") + ": <code>" +
         escaped_html(a.before + "'...'" + a.after) + "</code>";
}

/// HTML with the list of cases, for readers without scripts.
std::string plain_list(const std::vector<PageCase>& cases) {
  std::string out;
  for (const PageCase& c : cases)
    out += "<li>" + escaped_html(c.name) + ": " + outcome_name(c.outcome) + ", " +
           escaped_html(c.verdict) + (c.why.empty() ? "" : ". " + escaped_html(c.why)) +
           plain_approval(c) + "</li>\n";
  return out;
}

}  // namespace

void set_limit(PageCase& page, const std::string& measure, const std::string& value,
               const std::string& limit, bool kept) {
  const std::string name = row_of(measure);
  const auto row = std::find_if(page.numbers.begin(), page.numbers.end(),
                                [&](const PageNumber& number) { return number.name == name; });
  if (row == page.numbers.end()) {
    page.numbers.push_back({name, value, limit, kept});
    return;
  }
  const std::string unit = name == kDifferent                     ? " %"
                           : name == kLargest && measure == "max" ? " of 255"
                                                                  : "";
  if (name == kDifferent) row->value += " (" + value + " %)";
  if (name != kDifferent && name != kLargest) row->value = value;
  row->limit += (row->limit.empty() ? "" : ", ") + limit + unit;
  row->kept = row->kept && kept;
}

std::string page_number(double value) {
  if (std::isnan(value)) return "not defined";
  if (std::isinf(value)) return "infinite";
  return std::abs(value) < 1e9 && value == std::floor(value) ? fixed(value, 0) : fixed(value, 4);
}

void add_comparison(PageCase& page, const PicturePair& pair, const Comparison& comparison) {
  const auto add = [&](const std::string& name, const std::string& value) {
    page.numbers.push_back({name, value, "", true});
  };
  if (comparison.sizes_differ())
    page.numbers.push_back(
        {"size", size_of(comparison.reference_size) + ", now " + size_of(comparison.result_size),
         "the same", false});
  add(kDifferent, grouped(comparison.different) + " of " + grouped(comparison.pixels));
  if (comparison.left_out != 0) add("pixels ignored", grouped(comparison.left_out));
  if (!comparison.values.empty())
    add(kLargest,
        std::to_string(comparison.max_error) + " of " + std::to_string(comparison.largest));
  for (const MetricValue& value : comparison.values)
    if (row_of(std::string(value.metric->name)) != kLargest)
      add(std::string(value.metric->name),
          page_number(value.value) +
              (value.metric->unit.empty() ? "" : " " + std::string(value.metric->unit)));
  if (comparison.worst && !comparison.values.empty())
    page.worst = PagePixel{comparison.worst->x, comparison.worst->y,
                           rgba_in_words(comparison.worst->reference),
                           rgba_in_words(comparison.worst->result)};
  if (comparison.same && comparison.left_out == 0) return;
  if (comparison.left_out != 0)
    page.why += (page.why.empty() ? "" : " ") + counted(comparison.left_out, "pixel") +
                (comparison.left_out == 1 ? " is" : " are") +
                " ignored: grey stripes in the difference.";
  // Pictures of ids have no metrics. For them, the large factor shows any difference at full
  // brightness.
  const double factor = comparison.values.empty() ? 1e9 : full_amplification(pair);
  page.pictures.difference = encode_png(difference_picture(pair, factor));
  if (comparison.values.empty()) return;
  page.pictures.flip = encode_png(flip_picture(pair));
}

std::string pictures_page(const PagePictures& pictures) {
  Album album;
  Json cases = Json::array();
  for (const PageCase& c : pictures.cases) cases.push_back(page_json(c, album));
  const Json document = {{"title", pictures.title},
                         {"summary", pictures.summary},
                         {"facts", page_json(pictures.facts)},
                         {"notes", pictures.notes},
                         {"cases", std::move(cases)}};
  const std::string data = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  return filled_page(kPicturesPage, {{"title", escaped_html(pictures.title)},
                                     {"data", inside_script(data)},
                                     {"pictures", std::move(album).elements()},
                                     {"plain", plain_list(pictures.cases)}});
}

}  // namespace ballotcast::detail
