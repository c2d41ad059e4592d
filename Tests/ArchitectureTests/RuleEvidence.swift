// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the page *Where each rule stands* rests on.
enum RuleEvidence {
  /// The name of the test that holds each rule of the page.
  static let tests = pairs(
    #"""
    Five states: not running, inactive, active, background, suspended; only three run code | Launched, put away, suspended and come back to: the order of the rules
    A short interruption in front makes an app inactive, and active again | Something in front for a moment: willResignActive, didBecomeActive, and no background
    A launch into the background does not call `didEnterBackground` in older eras | A launch into the background does not call didEnterBackground in ios4 and ios7
    A launch into the background does not pass through inactive and active | A relaunch goes straight to the background
    An app that nothing holds is suspended 5 s after it is left, and purged 600 s later | An app that nothing holds is suspended 5 s after it is left, and purged 600 s later
    The 600 s before a purge count anew from every suspension | The 600 s before a purge count anew from every suspension
    By the texts, suspended apps stay as long as memory allows; a purge after 600 s without any pressure is ours, and a scenario that scripts memory has none | A need of memory that frees none says so
    An app for which the system watches is purged for memory only | An app that the system watches for is not purged by time, and is called in time
    A running app that is shut down gets `willTerminate`; it has 5 s | A running app that is shut down hears willTerminate, once, in whatever state it runs
    An app that is swiped away gets no further callback | An app whose user swipes it away while it runs is told nothing more
    A process that exits by itself leaves the app not running at once | A process that exits by itself ends the app at once, from any state that has one
    A request right after the message that suspends the app counts | What an app asks for right behind the message that suspends it counts; audio cannot begin
    A launch by the service does not count as opened by the user | What the service launches is not opened by its user, and who swiped it away has still done so
    An app that is told to end stays where it is until then, and hears of no place | It stays where it is meanwhile, in front too, and hears of no place
    An app that opted out is never in the background | One that opted out is never in the background, from being left to its end 5 s later
    An app that opted out ends 5 s after it is left | An app that opted out of multitasking ends 5 s after it is left
    Only its user launches an app that opted out | An app that opted out of multitasking is launched for nothing
    On a device without multitasking every app behaves as opted out | On a device without multitasking each app behaves as one that opted out
    A reboot ends every app without a callback; monitoring goes on | After a reboot nothing runs but apps with voip, which are launched; monitoring goes on
    A device is unlocked when its user opens an app | Whoever opens an app has unlocked the device
    Standard updates stop when the app is suspended | A standard app goes blind when it is suspended, and the receiver is switched off
    Continuous updates keep the app running | Continuous updates keep the app running for as long as they last
    Neither standard nor continuous updates relaunch a terminated app | Neither standard nor continuous updates relaunch a terminated app
    A distance filter measures from the last delivered location | The distance filter measures from the last delivered fix, not from the last seen one
    A more accurate fix may pass below the distance | A much more accurate fix passes below the distance
    An impossible position is invalid | Accuracies and speeds that cannot be are invalid
    Updates pause after about 10 min without movement | Updates pause after 600 s within 50 m, and the hold on the app ends with them
    Without a motion sensor updates pause only if something else can end the pause | Without a motion sensor updates pause only if a monitored place can end it
    An app of reduced accuracy pauses by the device's position, not by its square | An app of reduced accuracy pauses where the device rests, and not where it comes into another square
    Headings are delivered by their filter, from a compass or the course, and not while suspended | The filter counts from the last heading that was told, round the circle
    Deferred updates suspend the app and come all at once | The app is suspended, the receiver goes on, and all come when the way is done
    To an app they are one array | Positions that were kept back come as one notice, with one ticket for all
    A deferral that is impossible ends at once, with the reason | Where it cannot be it is over at once, with the reason
    Updates can be deferred, or not, by era | In the era of iOS 7 it sleeps while they are kept, hears all of them, and costs less
    `requestLocation` delivers one location | requestLocation delivers one location and lets the receiver go
    `requestLocation` has one answer: a location or one failure, after which it is over | A single request has one answer, whatever follows it: a failure, or a position
    A significant change is 500 m or more from the previous one, and 5 min later | 499 m are too close, 299 s too soon, and the verdict has the numbers
    A significant change wakes a suspended app and relaunches a terminated one | A move of 500 m wakes a suspended app, and relaunches it once it was purged
    Starting twice does nothing; stop and start sends a cached first event | Starting twice does nothing; stop and start sends a cached first event that never anchors
    Monitoring of significant changes outlives the process | Monitoring outlives an exit: the next significant change relaunches, in any era
    Significant change ignores the settings of the standard service | It ignores the distance filter and the accuracy that the app asked of the standard service
    Significant change listens to cells, and the receiver stays off | Each change of cell asks the network once, and the receiver stays off
    Without a modem significant change has another name and schedules receiver sessions | Without a modem, sessions of the receiver are scheduled, end with a good fix, or time out
    Standard updates of a suspended app are dropped, or the newest waits, by era | In eras that queue, the newest fix of a suspended app waits for it
    A position that waits for a suspended app is judged when the app runs again | A position that waited is handed over by the rules of the moment
    A relaunch needs *always* if there are two levels | Relaunch needs Always where the era knows two levels
    There is one level of authorization, or there are two, by era | Nobody gets more than was asked for
    With one level any yes is *always* | With one level of authorization any yes is always
    Denied is error 1, and an unknown position is error 0 | A user who takes the permission back: error 1, and no location from then on
    No significant change wakes an app that does not move, unless its era has an idle wake | No era wakes an app that does not move; one with an idle wake does, and tells it the last position
    Updates of *when in use* must have begun in front | From ios13 on, when in use starts no continuous updates from the background
    With *when in use* a change is told in the background only while updates hold the app | With *when in use* a change is told in the background only while updates hold the app
    An app has 20 regions at most | The 21st region of an app fails; one of the same name takes the other's place
    A crossing counts 200 m beyond the border, after 20 s there | It counts 200 m beyond the border, after 20 s there, and wakes a suspended app
    An app's later process knows what the earlier ones were told of a region, and is told of changes alone | A monitor tells of changes alone, also to the processes after the first
    A region's first state is determined without an event | The first state is found without an event, and a question for it is answered
    Regions relaunch a terminated app | A terminated app is relaunched, with the reason
    Regions survive a restart of the service | Regions survive a restart
    A stay of 5 min within 100 m is an arrival | A stay of 5 min within 100 m is an arrival; nobody saw the one of the first place
    Visits begin with iOS 8 | Before iOS 8 there are no visits: who asks for them is told so, and nothing is looked for
    A departure is reported late, with the time of the first position beyond | A departure has the time of the first position beyond 100 m, and comes at 200 m
    A task keeps an app running until its end | A task keeps the app running until its end; then it is suspended at once
    Each begin needs its own end | Each begin needs its own end
    All tasks together have 600, 180 or 30 s by era, with a warning 5 s before | All tasks together have 600, 180, 30 s by era, from leaving the foreground; 5 s before, they are told
    A first task that begins in the last 5 s of the budget, or later, is over at once and ends no app | A first task that is begun in the last 5 s of the budget, or after it, is over at once, and ends nobody
    A task that overruns ends its app, or suspends it, by era | Where the era says so, an app whose task overran is suspended and its tasks are over
    `backgroundTimeRemaining`: no limit in front, then it counts down | How long it will still run: no limit in front, then what the era gives a task
    In front, and while something holds the app, the budget does not count | While audio or location holds the app nobody counts; the budget begins when the last hold ends
    A wake gives 10 s; a task extends it | A wake gives a task the era's budget, where it alone gives 10 s
    A handler of a fetch, a keep-alive or a push has 30 s | A handler of a fetch, a keep-alive or a push that does not return in 30 s ends its app, held or not
    Audio keeps an app running while it plays, if the mode is declared | Audio keeps an app running where the mode is declared; else it ends when the app is left
    Audio of the app in front has priority over that of the background | Audio of the app in front ends that of the background, which is suspended then
    A call has priority over all audio, and interrupts the app in front | A call interrupts the app in front and ends all audio; while it lasts none begins
    A mode that is not declared has no effect | A mode that is not declared has no effect
    A request for calls without the mode changes nothing for other apps either | Fetches and keep-alives of others come as if it had not been asked for
    A keep-alive handler is called before its interval of 600 s or more is over | A keep-alive handler is called before each interval is over
    A keep-alive below 600 s is refused, and its app gets the error | A keep-alive below 600 s is refused: its app is told, its log says so, and nothing calls it
    Periodic work of all apps shares wakes | Keep-alives of two apps fall into step within one interval: half the wakes
    Two apps never fetch at once | Two apps never fetch at once; the next one follows when the first has returned
    A fetch that is sent while another app fetches waits for it | A fetch that is sent while another app fetches waits for it; one that nobody asked for is none
    Setting the same interval again changes nothing | An app that names the same interval at every launch fetches as one that names it once
    An event while an app is being terminated waits for its end | A crossing while its app is being terminated launches it, with the first position after its end
    Fetches learn from use | A fetch waits for the hour before the one in which its user opens the app, once that is known
    Fetch launches an app that does not run, but not after a force quit | A fetch launches an app that does not run, with fetch as its launch option; not after a force quit
    A watched socket wakes on data and on a change of network | Data on a watched socket wakes its app; on one that it never handed over nothing does
    A nonzero exit status relaunches an app with `voip` | A crash launches an app with voip again, in eras that have it; in others its log says why not
    An app with `voip` whose memory is taken is relaunched | It is launched again, into the background, as after a crash, and its sockets are made anew
    Keep-alives, sockets, accessories and Bluetooth launch no app | Keep-alives, sockets, accessories and Bluetooth launch no app
    After a force quit an app is relaunched for locations by era, for nothing else | After a force quit iOS 7.0 relaunches nobody; later ones do for locations, and for nothing else
    Newsstand, accessories and Bluetooth begin with iOS 5 | Newsstand, accessories and Bluetooth begin with iOS 5, visits with iOS 8
    A feature that the era lacks wakes no app | Fetch and push begin with iOS 7, and voip ends before iOS 13
    A location push calls an app with *always* that declares it, in front too; it has 30 s | A location push needs its mode, iOS 15 and *always*, also in front, and launches
    Switching background refresh off stops locations, fetches and pushes | Background refresh that is switched off stops locations, fetches and pushes, where there is the switch
    Low Power Mode stops fetches, not significant changes | Low Power Mode stops fetches, and not significant changes
    Until the first unlock only the boot itself launches apps | Until the first unlock nothing is launched but for the boot itself
    Suspended apps are purged first, the largest and longest suspended first; then background apps, with a callback | Memory is taken from the largest suspended app first, then from the one suspended for longest
    An app has 128 notifications at most; one with the same name replaces the older | 128 can be scheduled, and the next one is refused; one of the same name takes its place
    Notifications repeat by the calendar of their zone | A daily one comes at the same reading of the clock, over both changes of summer time
    An active app receives the notification; otherwise the user is alerted, if that is allowed | An active app is handed it; else its user is alerted, in eras that ask only with permission
    Notifications run no code, and outlive their process | They outlive their process, and wake nobody
    One notification or all can be cancelled; pending ones can be listed | What is scheduled is listed at once, cancelled one by one and all, and outlives the process
    No callback out of order, no code while suspended, no wake without a reason, one launch for one event, no two fetches at once, no budget exceeded, no callback to a killed app | No rule of an app's life is broken, four inputs deep
    A wake has its own reason; a notification is given once; an app that opted out is in front only; a keep-alive is called in time; the app in front, and a call, have priority for audio | No rule of what calls apps in the background is broken, five inputs deep
    Positions, headings and deferred updates reach each app that requested them and may have them, each once, in order | No rule of updates, pauses, headings and what is kept back is broken, six inputs deep
    Regions and visits reach each app that monitors them and may have them; entries and exits, arrivals and departures alternate | No rule of regions and visits is broken, seven inputs deep
    A service without a notification ends a minute after its app is left, from 8 on | A service without a notification runs for ever on Android 6, and a minute from 8 on
    An app that is left is cached 5 s later, and then frozen, by release | An app that is left is cached after 5 s, and frozen where its release freezes
    An app that nobody sees starts a foreground service by an exemption only, from 12 on; a geofence is one | From 12 on an app that nobody sees starts a service only for a geofence and the like
    With *while in use* a service that began unseen has no location from 11 on, and throws from 14 on | With *while in use* a service that began unseen has no location, from 11 on
    A foreground service of another type gives no location, from 10 on | A service of another type gives no more than none, from 10 on
    An app that nobody sees has two locations an hour from 8 on, and with *while in use* none from 10 on | Nobody sees it: everything on 6, twice an hour from 8 on, nothing with *while in use* from 10 on
    A geofence needs *always*, and makes a process | A geofence needs *always*, and makes a process where there is none
    A callback stands still in a frozen process and ends with it; a `PendingIntent` does not | A callback ends with its process and stands still in a frozen one; a PendingIntent does not
    A reboot takes geofences, requests and alarms with it | A reboot takes geofences and alarms with it, and leaves jobs
    Nothing wakes a force-stopped app until its user opens it; from 15 on its geofences are gone | A forced stop lasts until its user opens it; from 15 on its geofences are gone then
    From 13 on the user ends an app with a foreground service | The user ends an app with a foreground service from 13 on; what was promised remains
    Swiped away, an app lives on with a foreground service only | Swiped away, an app lives on with a foreground service, and ends without
    Deep Doze comes an hour after the screen went off, and motion puts it off | Motion is not looked at for half an hour; later it puts deep Doze off by 40 min
    Jobs wait for the windows of Doze, and alarms for those of deep Doze | A job of 15 min waits for the windows of Doze, and its app's account says so
    In deep Doze an app has one alarm in 9 min | In deep Doze an alarm for idle times goes off every 9 min at most, another one not at all
    A standby bucket has quotas of jobs and alarms, which charging lifts | Jobs and alarms have the documented quotas
    Requests of all apps need each source once, at the shortest interval | Requests of several apps need each source once, at the shortest interval
    A request is told by its interval and distance, or batched | Batched: kept for the delay, then told at once; a delay below two intervals keeps none
    An approximate location is the middle of a square of 2 km, every 10 min at most | Approximate: the middle of a square of 2 km, every 10 min at most, without the receiver
    With the battery saver and the screen off nobody has a location in 10, and only who is seen from 12 on | In Android 10 nobody has a location with the battery saver and the screen off
    `getCurrentLocation` is over with one location, after 30 s, or with its process | getCurrentLocation asks at once, and is over with a location, after 30 s, or with its process
    A geofence with `dwell` tells of a stay in place of the entry | A stay in a geofence is told so long after the entry, and the entry is not
    A change between still and moving wakes who asked for it | A change of activity wakes the app that asked for it, and lets it start a service
    No rule of two Android apps is broken by any sequence of inputs, in any release | Each rule finds the fault that breaks it
    """#)

  /// The rule behind each row or sentence on background execution of the texts that Milepost began with, in four sections.
  static let texts = pairs(
    #"""
    App states: five, of which not running and suspended run no code | Five states: not running, inactive, active, background, suspended; only three run code
    the front app goes before those in the background | Audio of the app in front has priority over that of the background
    inactive is a passing state | A short interruption in front makes an app inactive, and active again
    a suspended app is purged without notice | The 600 s before a purge count anew from every suspension
    callbacks in order; `willTerminate` for a running app alone | A running app that is shut down gets `willTerminate`; it has 5 s
    a launch into the background without `didEnterBackground` | A launch into the background does not call `didEnterBackground` in older eras
    soon suspended unless something holds it | An app that nothing holds is suspended 5 s after it is left, and purged 600 s later
    opting out | An app that opted out ends 5 s after it is left
    opting out: never in the background | Only its user launches an app that opted out
    a device without multitasking | On a device without multitasking every app behaves as opted out
    a mode that is not declared | A mode that is not declared has no effect
    audio that is not declared | Audio keeps an app running while it plays, if the mode is declared
    Location: standard updates while suspended | Standard updates stop when the app is suspended
    continuous updates keep the app running | Continuous updates keep the app running
    standard and continuous updates relaunch nobody | Neither standard nor continuous updates relaunch a terminated app
    significant changes wake and relaunch | A significant change wakes a suspended app and relaunches a terminated one
    significant changes need a cellular radio | Significant change listens to cells, and the receiver stays off
    a filter that uses the receiver has another name | Without a modem significant change has another name and schedules receiver sessions
    accuracy: best effort, coarse first | A more accurate fix may pass below the distance
    the distance filter counts from the last delivery | A distance filter measures from the last delivered location
    one location on request | `requestLocation` delivers one location
    pauses after about 10 min still | Updates pause after about 10 min without movement
    deferred updates | Deferred updates suspend the app and come all at once
    negative accuracies, speeds and courses are invalid | An impossible position is invalid
    500 m and 5 min between significant changes | A significant change is 500 m or more from the previous one, and 5 min later
    the first event is the cached one; starting twice, stopping and starting | Starting twice does nothing; stop and start sends a cached first event
    significant changes ignore filter and accuracy | Significant change ignores the settings of the standard service
    armed again after a relaunch | Monitoring of significant changes outlives the process
    20 regions, a cushion of 200 m, 20 s of dwell | A crossing counts 200 m beyond the border, after 20 s there
    regions wake and relaunch | Regions relaunch a terminated app
    visits, told late | A departure is reported late, with the time of the first position beyond
    the filter of headings; none while suspended | Headings are delivered by their filter, from a compass or the course, and not while suspended
    levels of authorization | There is one level of authorization, or there are two, by era
    errors 0 and 1 | Denied is error 1, and an unknown position is error 0
    Running longer: a task from its begin to its end | A task keeps an app running until its end
    each begin has its own end | Each begin needs its own end
    the time that remains | `backgroundTimeRemaining`: no limit in front, then it counts down
    600, 180 or 30 s in all, and handlers near the end | All tasks together have 600, 180 or 30 s by era, with a warning 5 s before
    what overruns is terminated, or suspended | A task that overruns ends its app, or suspends it, by era
    128 notifications | An app has 128 notifications at most; one with the same name replaces the older
    zones and units of the calendar | Notifications repeat by the calendar of their zone
    an active app is handed it; permission | An active app receives the notification; otherwise the user is alerted, if that is allowed
    cancelling and listing | One notification or all can be cancelled; pending ones can be listed
    notifications run no code | Notifications run no code, and outlive their process
    keep-alives of 600 s or more | A keep-alive below 600 s is refused, and its app gets the error
    called at least once within the interval, batched | A keep-alive handler is called before its interval of 600 s or more is over
    periodic work is batched | Periodic work of all apps shares wakes
    30 s to return | A handler of a fetch, a keep-alive or a push has 30 s
    the watched socket | A watched socket wakes on data and on a change of network
    relaunched after boot | A reboot ends every app without a callback; monitoring goes on
    relaunched after an exit that is not zero | A nonzero exit status relaunches an app with `voip`
    fetch: learned from use | Fetches learn from use
    fetch: never two apps at once | Two apps never fetch at once
    audio: the foreground app always wins | Audio of the app in front has priority over that of the background
    newsstand, accessory, Bluetooth: a short time | Newsstand, accessories and Bluetooth begin with iOS 5
    push: an event that wakes | A handler of a fetch, a keep-alive or a push has 30 s
    10 s after a wake by location | A wake gives 10 s; a task extends it
    memory: who goes first | Suspended apps are purged first, the largest and longest suspended first; then background apps, with a callback
    force quit | After a force quit an app is relaunched for locations by era, for nothing else
    Eras: the budget of tasks | All tasks together have 600, 180 or 30 s by era, with a warning 5 s before
    what becomes of an overrun | A task that overruns ends its app, or suspends it, by era
    `didEnterBackground` on a launch into the background | A launch into the background does not call `didEnterBackground` in older eras
    standard updates of a suspended app | Standard updates of a suspended app are dropped, or the newest waits, by era
    what continuous updates need | Updates of *when in use* must have begun in front
    what a relaunch needs | A relaunch needs *always* if there are two levels
    an idle wake every 15 min | No significant change wakes an app that does not move, unless its era has an idle wake
    """#)

  private static func pairs(_ text: String) -> [(subject: String, evidence: String)] {
    text.split(separator: "\n").compactMap { line in
      let parts = line.components(separatedBy: " | ")
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
  }
}
