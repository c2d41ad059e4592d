// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import Testing

@Suite("Where a program is looked for, and what is said where it is not there")
struct ProgramSearchTests {
  /// The fault of `program` with these files.
  private func fault(
    _ program: String, path: String? = "/usr/bin:/bin", _ files: [String: ProgramSearch.Sight]
  ) -> String? {
    var files = files
    files["/apps"] = files["/apps"] ?? .folder
    return ProgramSearch(program, directory: "/apps", path: path)
      .fault { files[$0] ?? .nothing }?.words
  }

  @Test(
    "As execvp(3): a slash makes a path that begins at the directory; else PATH is gone through")
  func candidates() {
    func candidates(_ program: String, _ path: String?) -> [String] {
      ProgramSearch(program, directory: "/apps", path: path).candidates
    }
    #expect(candidates("./walk", "/bin") == ["./walk"])
    #expect(candidates("/opt/walk", "/bin") == ["/opt/walk"])
    // An empty element of PATH is the working directory (POSIX, environment variables).
    #expect(candidates("walk", "/usr/bin::/bin") == ["/usr/bin/walk", "walk", "/bin/walk"])
    #expect(
      candidates("walk", nil) == ["/usr/local/bin/walk", "/usr/bin/walk", "/bin/walk"])
  }

  @Test("A program that is there has no fault, also behind one on PATH that may not be run")
  func there() {
    #expect(fault("./walk", ["/apps/walk": .program]) == nil)
    #expect(fault("sub/walk", ["/apps/sub/walk": .program]) == nil)
    #expect(fault("/opt/walk", ["/opt/walk": .program]) == nil)
    #expect(fault("walk", ["/usr/bin/walk": .file, "/bin/walk": .program]) == nil)
  }

  @Test("One in a folder that may not be entered is not called missing")
  func closed() {
    #expect(
      fault("/root/walk", ["/root/walk": .closed])
        == "its program /root/walk is in a folder that may not be entered (/root/walk); chmod +x the folders "
        + "above it, or mend its path (command in the manifest)")
    #expect(
      fault("./walk", ["/apps": .closed])
        == "its directory /apps may not be entered; chmod +x it and the folders above it, or name another one "
        + "in the manifest (directory)")
    // As execvp(3): the search goes on.
    #expect(fault("walk", ["/usr/bin/walk": .closed, "/bin/walk": .program]) == nil)
  }

  @Test("One that is not there is named with the places that were looked at, and what to do")
  func missing() {
    #expect(
      fault("./walk", [:])
        == "its program ./walk is not there: /apps/walk was looked for; build it, or mend its path "
        + "(command in the manifest), which begins at the app's directory")
    #expect(
      fault("/opt/walk", [:])
        == "its program /opt/walk is not there; build or install it, or mend its path (command in the "
        + "manifest)")
    #expect(
      fault("walk", [:])
        == "its program walk is not there: /usr/bin, /bin were looked through (PATH); install it, or "
        + "write its path (command in the manifest)")
    #expect(
      fault("walk", ["/apps/walk": .program])
        == "its program walk is not there: /usr/bin, /bin were looked through (PATH); write ./walk for "
        + "the one in /apps (command in the manifest)")
  }

  @Test("One that may not be run, a folder, and a directory that is not there")
  func unfit() {
    #expect(
      fault("./walk", ["/apps/walk": .file])
        == "its program ./walk may not be run (/apps/walk); chmod +x /apps/walk")
    #expect(
      fault("./it's a $walk", ["/apps/it's a $walk": .file])
        == #"its program ./it's a $walk may not be run (/apps/it's a $walk); chmod +x '/apps/it'\''s a $walk'"#
    )
    #expect(
      fault("./walk", ["/apps/walk": .folder])
        == "its program ./walk is a folder (/apps/walk); name the program in it (command in the "
        + "manifest)")
    #expect(
      fault("./walk", ["/apps": .nothing])
        == "its directory /apps is not there; make it, or name another one in the manifest (directory)"
    )
  }

  @Test("What stands at a path is seen")
  func look() {
    #expect(ProgramSearch.look(at: "/bin/sh") == .program)
    #expect(ProgramSearch.look(at: "/etc/passwd") == .file)
    #expect(ProgramSearch.look(at: "/etc") == .folder)
    #expect(ProgramSearch.look(at: "/etc/passwd/x") == .nothing)
  }
}
