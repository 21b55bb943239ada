// What the linter reads, and what it says of the rest.
#include "lint/files.h"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "lint/read_file.h"
#include "tests/support/golden.h"
#include "tests/support/process.h"

using namespace gpulint;
using gpulint::testing::TemporaryFolder;
using gpulint::testing::write_file;

namespace {

class Recorder : public FileReceiver {
 public:
  void text(std::string name, std::string_view bytes, std::string&, bool) override { told.emplace_back(name, " = " + std::string(bytes)); }
  void not_judged(std::string name, std::string reason) override { told.emplace_back(name, " not judged: " + reason); }
  void unreadable(std::string name, std::string reason) override { told.emplace_back(name, " unreadable: " + reason); }
  void forget(const Names& names) override {
    std::erase_if(told, [&](const auto& one) { return names.contains(one.first); });
  }
  std::vector<std::pair<std::string, std::string>> told;
};

/// Everything that was said of the inputs, ordered, one a line; the folder itself is written as `$`.
std::string told(std::vector<std::string> paths, const std::string& folder, std::size_t threads = 1, const InputOptions& options = {}) {
  for (std::string& path : paths)
    if (path.starts_with("$")) path.replace(0, 1, folder);
  std::vector<std::unique_ptr<FileReceiver>> receivers;
  std::vector<Recorder*> recorders;
  for (std::size_t i = 0; i < threads; ++i) {
    auto one = std::make_unique<Recorder>();
    recorders.push_back(one.get());
    receivers.push_back(std::move(one));
  }
  const FilesRead read = read_files(paths, receivers, options);
  std::vector<std::string> lines;
  for (const Recorder* one : recorders)
    for (const auto& [name, text] : one->told) lines.push_back(name + text);
  for (const PassedOver& one : read.passed_over) lines.push_back(one.path + " passed over: " + one.reason);
  for (const RenderedFolder& one : read.rendered)
    lines.push_back(one.folder + (one.kind == RenderedFolder::Kind::chart ? " chart" : " kustomization") + " by " + one.file);
  for (const std::string& one : read.git_troubles) lines.push_back("git: " + one);
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (std::string line : lines) {
    if (line.starts_with(folder)) line.replace(0, folder.size(), "$");
    text += line + "\n";
  }
  return text;
}

/// Listening makes the socket's file; it needs a short path, which a temporary folder has.
void make_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  REQUIRE(path.size() < sizeof address.sun_path);
  std::copy(path.begin(), path.end(), address.sun_path);
  const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  CHECK(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  close(descriptor);
}

void make_tree(const TemporaryFolder& folder) {
  for (const char* name : {"a.yaml", "b.yml", "c.json", "D.YAML", "notes.txt", "yaml", ".yaml", "sub/deep/e.yaml", ".github/f.yaml", ".git/g.yaml",
                           "vendor/.git/h.yaml", "odd name\n.yaml"})
    write_file(folder / name, name[0] == '.' ? "dot" : "x");
}

}  // namespace

TEST_CASE("a folder is read with what lies below it, by name, without .git") {
  const TemporaryFolder folder;
  make_tree(folder);
  const std::string expected =
      "$/.github/f.yaml = dot\n"
      "$/D.YAML = x\n"
      "$/a.yaml = x\n"
      "$/b.yml = x\n"
      "$/c.json = x\n"
      "$/odd name\n.yaml = x\n"
      "$/sub/deep/e.yaml = x\n";
  for (const std::size_t threads : {1, 2, 7}) {
    CAPTURE(threads);
    CHECK(told({"$"}, folder.path(), threads) == expected);
  }
}

TEST_CASE("what is named is read whatever its name is") {
  const TemporaryFolder folder;
  make_tree(folder);
  CHECK(told({"$/notes.txt"}, folder.path()) == "$/notes.txt = x\n");
  CHECK(told({"$/.git/g.yaml"}, folder.path()) == "$/.git/g.yaml = dot\n");
  CHECK(told({"$/.git"}, folder.path()) == "$/.git/g.yaml = dot\n");
  CHECK(told({"$/sub//deep/./e.yaml"}, folder.path()) == "$/sub/deep/e.yaml = x\n");
}

TEST_CASE("what is named twice, or named and met in a named folder, is read once") {
  const TemporaryFolder folder;
  for (const char* name : {"a.yaml", "sub/b.yaml", "sub/c.txt"}) write_file(folder / name, "x");
  CHECK(told({"$/a.yaml", "$/./a.yaml"}, folder.path()) == "$/a.yaml = x\n");
  CHECK(told({"$", "$/sub/b.yaml"}, folder.path()) == "$/a.yaml = x\n$/sub/b.yaml = x\n");
  CHECK(told({"$/sub", "$"}, folder.path(), 3) == "$/a.yaml = x\n$/sub/b.yaml = x\n");
  CHECK(told({"$", "$/sub/c.txt"}, folder.path()) == "$/a.yaml = x\n$/sub/b.yaml = x\n$/sub/c.txt = x\n");
}

TEST_CASE("what is missing is told with the system's reason, and the rest is read") {
  const TemporaryFolder folder;
  write_file(folder / "a.yaml", "x");
  CHECK(told({"$/missing.yaml", "$/a.yaml"}, folder.path()) == "$/a.yaml = x\n$/missing.yaml unreadable: No such file or directory\n");
  CHECK(told({"$/a.yaml/below"}, folder.path()) == "$/a.yaml/below unreadable: Not a directory\n");
  CHECK(told({"$/" + std::string(300, 'n')}, folder.path()) == "$/" + std::string(300, 'n') + " unreadable: File name too long\n");
}

TEST_CASE("symbolic links: files are read, folders are not entered, so a loop is none") {
  const TemporaryFolder folder;
  write_file(folder / "real/a.yaml", "x");
  std::filesystem::create_symlink("real/a.yaml", folder / "link.yaml");
  std::filesystem::create_directory_symlink("..", folder / "real/up");
  std::filesystem::create_symlink("nowhere", folder / "gone.yaml");
  std::filesystem::create_symlink("itself.yaml", folder / "itself.yaml");
  CHECK(told({"$"}, folder.path(), 2) ==
        "$/gone.yaml not judged: symbolic link to nothing\n"
        "$/itself.yaml not judged: symbolic link to nothing\n"
        "$/link.yaml = x\n"
        "$/real/a.yaml = x\n"
        "$/real/up not judged: symbolic link to a folder\n");
  CHECK_MESSAGE(told({"$/real/up/real"}, folder.path()) ==
                    "$/real/up/real/a.yaml = x\n$/real/up/real/up not judged: symbolic link to a folder\n",
                "a link that is named is followed");
}

TEST_CASE("a FIFO or a socket met in a folder is not waited for") {
  const TemporaryFolder folder;
  REQUIRE(mkfifo((folder / "pipe.yaml").c_str(), 0600) == 0);
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  make_socket(folder / "socket.yaml");
  CHECK(told({"$"}, folder.path()) == "$/pipe.yaml not judged: no regular file\n$/socket.yaml not judged: no regular file\n");
}

TEST_CASE("a FIFO that is named is read to its end") {
  const TemporaryFolder folder;
  const std::string fifo = folder / "pipe";
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  const std::string text(200'000, 'x');  // more than a pipe holds
  std::jthread writer([&] { write_file(fifo, text); });
  CHECK(told({"$/pipe"}, folder.path()) == "$/pipe = " + text + "\n");
}

TEST_CASE("files of every size around the buffer's are read completely") {
  const TemporaryFolder folder;
  for (const std::size_t size : {0, 1, 65'535, 65'536, 65'537, 131'072, 1'000'003}) {
    CAPTURE(size);
    std::string text(size, 'x');
    for (std::size_t i = 0; i < size; i += 97) text[i] = static_cast<char>('a' + i % 23);
    write_file(folder / "file", text);
    CHECK(told({"$/file"}, folder.path()) == "$/file = " + text + "\n");
  }
}

TEST_CASE("a file above the limit is not judged and not read") {
  const TemporaryFolder folder;
  write_file(folder / "large.yaml", "");
  REQUIRE(truncate((folder / "large.yaml").c_str(), static_cast<off_t>(kMaxFileSize) + 1) == 0);  // sparse
  CHECK(told({"$"}, folder.path()) == "$/large.yaml not judged: larger than 256 MiB\n");
}

TEST_CASE("the limit of read_descriptor is the last size that is read") {
  const TemporaryFolder folder;
  std::string buffer;
  for (const std::size_t limit : {10, 65'535, 65'536, 100'000}) {
    CAPTURE(limit);
    write_file(folder / "fits", std::string(limit, 'x'));
    write_file(folder / "larger", std::string(limit + 1, 'x'));
    const ReadResult fits = read_file_at(-1, (folder / "fits").c_str(), limit, buffer, true);
    CHECK(fits.size == limit);
    CHECK_FALSE(fits.too_large);
    CHECK(read_file_at(-1, (folder / "larger").c_str(), limit, buffer, true).too_large);
  }
}

TEST_CASE("many files in one folder reach all threads' receivers exactly once") {
  const TemporaryFolder folder;
  std::string expected;
  for (int i = 1000; i < 2000; ++i) {
    write_file(folder / (std::to_string(i) + ".yaml"), "x");
    expected += "$/" + std::to_string(i) + ".yaml = x\n";
  }
  for (const std::size_t threads : {1, 2, 8}) CHECK(told({"$"}, folder.path(), threads) == expected);
}

TEST_CASE("many folders, wide and deep") {
  const TemporaryFolder folder;
  std::string deep = folder.path();
  std::size_t files = 0;
  for (int i = 0; i < 200; ++i, ++files) write_file((deep += "/d") + "/a.yaml", "x");
  for (int i = 0; i < 500; ++i, ++files) write_file(folder / ("wide" + std::to_string(i) + "/a.yaml"), "x");
  for (const std::size_t threads : {1, 4}) {
    const std::string text = told({"$"}, folder.path(), threads);
    CHECK(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) == files);
  }
}

TEST_CASE("what a receiver throws comes out, on whichever thread it was thrown") {
  struct Thrower : FileReceiver {
    void text(std::string, std::string_view, std::string&, bool) override { throw std::runtime_error("thrown"); }
    void not_judged(std::string, std::string) override {}
    void unreadable(std::string, std::string) override {}
    void forget(const Names&) override {}
  };
  const TemporaryFolder folder;
  for (int i = 0; i < 100; ++i) write_file(folder / (std::to_string(i) + "/a.yaml"), "x");
  std::vector<std::unique_ptr<FileReceiver>> receivers;
  for (int i = 0; i < 4; ++i) receivers.push_back(std::make_unique<Thrower>());
  CHECK_THROWS_WITH(read_files({folder.path()}, receivers), "thrown");
}

TEST_CASE("what is excluded is not read, whether met or named, and said") {
  const TemporaryFolder folder;
  for (const char* name : {"a.yaml", "vendor/b.yaml", "sub/vendor/c.yaml", "sub/d.yaml", "sub/e.txt", "lab/f.yaml"}) write_file(folder / name, "x");
  Policy policy;
  policy.paths = {folder.path(), folder.path()};
  struct Row { std::vector<std::string> exclude, paths; const char* expected; };
  for (const Row& row : std::vector<Row>{
           {{"vendor"}, {"$"}, "$/a.yaml = x\n$/lab/f.yaml = x\n$/sub/d.yaml = x\n$/sub/vendor/ passed over: excluded by the configuration\n"
                               "$/vendor/ passed over: excluded by the configuration\n"},
           {{"/vendor/**", "lab/"}, {"$"}, "$/a.yaml = x\n$/lab/ passed over: excluded by the configuration\n$/sub/d.yaml = x\n$/sub/vendor/c.yaml = x\n"
                                           "$/vendor/ passed over: excluded by the configuration\n"},
           {{"sub/*.yaml"}, {"$/sub"}, "$/sub/d.yaml passed over: excluded by the configuration\n$/sub/vendor/c.yaml = x\n"},
           {{"vendor", "*.txt"}, {"$/vendor/b.yaml", "$/sub/e.txt", "$/a.yaml"},
            "$/a.yaml = x\n$/sub/e.txt passed over: excluded by the configuration\n$/vendor/b.yaml passed over: excluded by the configuration\n"},
           {{"sub"}, {"$/sub"}, "$/sub passed over: excluded by the configuration\n"},
           {{"nothing"}, {"$/a.yaml"}, "$/a.yaml = x\n"},
       }) {
    CAPTURE(row.exclude.front());
    policy.exclude = row.exclude;
    CHECK(told(row.paths, folder.path(), 2, {.exclusions = Exclusions(policy, {})}) == row.expected);
  }
}

TEST_CASE("what a program renders is told, where it is met and where it is named") {
  const TemporaryFolder folder;
  for (const char* name : {"app/Chart.yaml", "app/charts/sub/Chart.yaml", "a/kustomization.yaml", "b/Kustomization", "c/kustomization.yml", "d/chart.yaml"})
    write_file(folder / name, "x");
  std::filesystem::create_directory(folder / "e");
  std::filesystem::create_directory(folder / "e/Chart.yaml");
  CHECK(told({"$"}, folder.path()) ==
        "$/a kustomization by kustomization.yaml\n$/a/kustomization.yaml = x\n$/app chart by Chart.yaml\n$/app/Chart.yaml = x\n"
        "$/app/charts/sub chart by Chart.yaml\n$/app/charts/sub/Chart.yaml = x\n$/b kustomization by Kustomization\n"
        "$/c kustomization by kustomization.yml\n$/c/kustomization.yml = x\n$/d/chart.yaml = x\n");
  CHECK(told({"$/app/Chart.yaml", "$/app"}, folder.path()) == "$/app chart by Chart.yaml\n$/app/Chart.yaml = x\n"
                                                              "$/app/charts/sub chart by Chart.yaml\n$/app/charts/sub/Chart.yaml = x\n");
  write_file(folder / "app/charts/sub/templates/x.yaml", "x");
  CHECK(told({"$/app/charts/sub/templates"}, folder.path()) == "$/app chart by Chart.yaml\n$/app/charts/sub/templates/x.yaml = x\n");
  CHECK(told({"$/a/kustomization.yaml"}, folder.path()) == "$/a kustomization by kustomization.yaml\n$/a/kustomization.yaml = x\n");
}

TEST_CASE("tidy_path") {
  struct Row { const char *given, *expected; };
  for (const Row& row : {Row{"a/b.yaml", "a/b.yaml"}, {"./a", "a"}, {"a//b/./c/", "a/b/c"}, {".", ""}, {"./", ""}, {"/", "/"}, {"//a", "/a"},
                         {"../a", "../a"}, {"a/../b", "a/../b"}, {"/./a", "/a"}, {"", ""}}) {
    CAPTURE(row.given);
    CHECK(tidy_path(row.given) == row.expected);
  }
}
