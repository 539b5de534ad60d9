#include "compare/page.hpp"

#include <string_view>
#include <unordered_map>

#include "compare/page_files.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

namespace {

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

/// The pictures of a page, as one HTML element each. The script of the page decodes a picture when
/// it is first looked at.
class Album {
 public:
  /// The number of the picture with these bytes; null if there are none. Pictures with equal bytes
  /// have the same number. `bytes` must stay valid.
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

const char* name_of(PageOutcome outcome) {
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

Json json_of(const PageWords& words) {
  Json json = Json::array();
  for (const auto& [key, value] : words) json.push_back(Json::array({key, value}));
  return json;
}

Json json_of(const PageNumber& number) {
  return {{"name", number.name},
          {"value", number.value},
          {"limit", number.limit},
          {"kept", number.kept}};
}

Json json_of(const PageCheck& check) {
  return {
      {"name", check.name}, {"expected", check.expected}, {"got", check.got}, {"same", check.same}};
}

Json json_of(const PagePixel& pixel) {
  return {{"x", pixel.x}, {"y", pixel.y}, {"reference", pixel.reference}, {"result", pixel.result}};
}

Json json_of(const PageAcceptance& acceptance) {
  return {{"date", acceptance.date},       {"reason", acceptance.reason},
          {"version", acceptance.version}, {"before", acceptance.before},
          {"after", acceptance.after},     {"what", acceptance.what}};
}

Json json_of(const PageApproval& approval) {
  return {{"of", approval.of},
          {"before", approval.before},
          {"after", approval.after},
          {"folder", approval.folder}};
}

template <class T>
Json array_of(const std::vector<T>& items) {
  Json json = Json::array();
  for (const T& item : items) json.push_back(json_of(item));
  return json;
}

Json json_of(const PageCasePictures& pictures, Album& album) {
  const std::vector<u8>& result =
      pictures.result_is_reference ? pictures.reference : pictures.result;
  return {{"reference", album.number_of(pictures.reference)},
          {"result", album.number_of(result)},
          {"difference", album.number_of(pictures.difference)},
          {"flip", album.number_of(pictures.flip)}};
}

Json json_of(const PageCase& c, Album& album) {
  return {{"name", c.name},
          {"verdict", c.verdict},
          {"outcome", name_of(c.outcome)},
          {"why", c.why},
          {"axes", json_of(c.axes)},
          {"pictures", json_of(c.pictures, album)},
          {"numbers", array_of(c.numbers)},
          {"checks", array_of(c.checks)},
          {"worst", c.worst ? json_of(*c.worst) : Json()},
          {"approval", c.approval ? json_of(*c.approval) : Json()},
          {"history", array_of(c.history)}};
}

/// The command that approves a case, for a reader without scripts.
std::string plain_approval(const PageCase& c) {
  if (!c.approval) return "";
  const PageApproval& a = *c.approval;
  return "<br>To approve it, write the reason in place of the dots and run" +
         (a.folder.empty() ? "" : " in <code>" + escaped_html(a.folder) + "</code>") + ": <code>" +
         escaped_html(a.before + "'...'" + a.after) + "</code>";
}

/// The list of cases for a reader without scripts.
std::string plain_list(const std::vector<PageCase>& cases) {
  std::string out;
  for (const PageCase& c : cases)
    out += "<li>" + escaped_html(c.name) + ": " + name_of(c.outcome) + ", " +
           escaped_html(c.verdict) + (c.why.empty() ? "" : ". " + escaped_html(c.why)) +
           plain_approval(c) + "</li>\n";
  return out;
}

}  // namespace

std::string pictures_page(const PagePictures& pictures) {
  Album album;
  Json cases = Json::array();
  for (const PageCase& c : pictures.cases) cases.push_back(json_of(c, album));
  const Json document = {{"title", pictures.title},
                         {"summary", pictures.summary},
                         {"facts", json_of(pictures.facts)},
                         {"notes", pictures.notes},
                         {"cases", std::move(cases)}};
  const std::string data = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  return filled_page(kPicturesPage, {{"title", escaped_html(pictures.title)},
                                     {"data", inside_script(data)},
                                     {"pictures", std::move(album).elements()},
                                     {"plain", plain_list(pictures.cases)}});
}

}  // namespace ballotcast::detail
