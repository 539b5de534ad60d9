// Answers the requests of pages. The paths are:
//
//   GET  /          the page
//   GET  /facts     the scene, its camera and the choices
//   GET  /picture   a picture, with what it cost in the header X-Ballotcast-Facts
//   GET  /boxes     the boxes of a level of the tree: 6 floats each
//   GET  /explain   why a pixel is as it is
//   GET  /lanes     what the lanes of a block do
//   GET  /take      the view as a command, a scene file and a case of a suite
//   POST /suite     adds the view to the suite of the program
//   POST /file      receives a file of a new scene;  POST /open  shows it
//   POST /stop      ends the program
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "view/export.hpp"
#include "view/request_queue.hpp"
#include "view/server.hpp"
#include "view/show.hpp"
#include "view/uploads.hpp"

namespace ballotcast::detail {

/// What a viewer is made of.
struct ViewerOptions {
  ShowOptions show;
  SceneOnCommandLine command_line;
  std::string suite;  // the suite to which /suite adds cases, or ""
  std::string token;
};

/// Answers the requests of pages. Several threads may call all functions at the same time.
class Viewer {
 public:
  /// Loads the scene and builds its tree. Throws InputError if the scene can't be used, UsageError
  /// for invalid options, and DeviceError if the device fails.
  explicit Viewer(ViewerOptions options);

  /// Called by /stop, to end the server.
  std::function<void()> on_stop;

  HttpResponse answer(const HttpRequest& http);
  BodySink body(const HttpRequest& http);
  /// Stops the work on all requests.
  void stop() { stopping_ = true; }
  const Show& show() const { return *show_; }

 private:
  HttpResponse page() const;
  HttpResponse facts(const HttpRequest& http);
  HttpResponse picture(const HttpRequest& http);
  HttpResponse boxes(const HttpRequest& http);
  HttpResponse explain(const HttpRequest& http);
  HttpResponse lanes(const HttpRequest& http);
  /// Writes the tree into the request, if the program was started with a tree other than the
  /// default.
  void name_tree(PictureRequest& request) const;
  HttpResponse take(const HttpRequest& http);
  HttpResponse add_case(const HttpRequest& http);
  HttpResponse open(const HttpRequest& http);
  /// Everything that the page needs before its first picture.
  Json facts_of_show(Renderer& renderer) const;

  /// Calls work(renderer) when it is the request's turn, unless nobody waits for the answer any
  /// more. Sets the members of the request's camera that only options can choose.
  void in_queue(PictureRequest& request, const HttpRequest& http,
                const std::function<void(Renderer&)>& work);
  HttpResponse answer_in_queue(PictureRequest& request, const HttpRequest& http,
                               const std::function<HttpResponse(Renderer&)>& work);
  Show::Stop stop_for(const PictureRequest& request, const HttpRequest& http) const;

  ViewerOptions options_;
  WorkQueue queue_;
  NewestRequests newest_;
  std::atomic<bool> stopping_ = false;
  // Only the thread whose turn it is may use this.
  std::unique_ptr<Show> show_;
  u64 scene_number_ = 1;  // number of the shown scene; the first is 1
  // The files of the shown scene if a page has sent them, else null
  std::shared_ptr<Upload> shown_files_;
  Uploads uploads_;
};

}  // namespace ballotcast::detail
