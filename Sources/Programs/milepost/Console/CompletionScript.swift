// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The script with which a shell completes our words.
///
/// The parser's own completes no file behind `milepost`, for it does not know that a word that is no command is a
/// trace to compare; what is changed here says so.
enum CompletionScript {
  static func text(for shell: CompletionShell) -> String {
    let script = Milepost.completionScript(for: shell)
    switch shell {
    case .bash: return changed(script, bash)
    case .zsh: return changed(script, zsh)
    case .fish: return script + fish
    default: return script
    }
  }

  /// In the function of the program itself, which comes before those of its commands.
  private static func changed(_ script: String, _ change: (String) -> String) -> String {
    guard let end = script.firstRange(of: "\n_milepost_compare()") else { return script }
    return change(String(script[..<end.lowerBound])) + script[end.lowerBound...]
  }

  private static func bash(_ function: String) -> String {
    let offer = "        # Offer subcommand completions\n"
    guard let place = function.firstRange(of: offer) else { return function }
    return function[..<place.lowerBound] + """
              # A trace: milepost TRACE is milepost compare TRACE
              if [[ "${#unparsed_words[@]}" -gt 0 ]]; then
                  _milepost_compare
                  return
              fi
              __milepost_add_completions -f

      """ + function[place.lowerBound...]
  }

  private static func zsh(_ function: String) -> String {
    let files = "_describe -V subcommand subcommands && ret=0\n"
    guard let place = function.firstRange(of: files) else { return function }
    return function[..<place.upperBound] + "        _files && ret=0\n"
      + function[place.upperBound...]
  }

  private static let fish = """
    complete -c 'milepost' -n '__fish_use_subcommand' -F

    """
}
