// SPDX-License-Identifier: Apache-2.0

// Swift calls only the methods of the class that conforms to a delegate's protocol, and their overrides: a method that
// only a subclass of it has is another one, where Apple's runtime would find it.

/// A remark for a complaint about a delegate that has no method for its news: the class in which Swift looks for it;
/// empty if that is the delegate's own.
package func remark(onClassOf delegate: AnyObject, where conforms: (Any.Type) -> Bool) -> String {
  var mirror = Mirror(reflecting: delegate)
  while let next = mirror.superclassMirror, conforms(next.subjectType) { mirror = next }
  guard mirror.subjectType != type(of: delegate) else { return "" }
  return
    "; Swift looks for it in \(mirror.subjectType), which conforms to the protocol: declare it there, and override it "
    + "in \(type(of: delegate))"
}
