// SPDX-License-Identifier: Apache-2.0
//
// Theory. What is shown comes from two documents of milepostd: `overview` (now; sent again by /events when
// something happened) and `history` (the last days; asked for once, and then from its last entry on). All text
// goes in as text, never as markup. Nothing is asked of anybody but milepostd, but for tiles where they are set.
//
//   load ─► overview, history ─► /events ─┬─ overview ─► show; a state or the receiver changed ─► rest of history
//                                         ├─ reset ────► history anew
//                                         └─ line lost ► said; the browser tries again by itself
//
// Two positions have a time between them in which nobody knew where the device was, if the receiver was off or no service
// ran between them, or if they are more than 300 s apart: the service keeps at least one every 300 s while it knows
// (ServiceCore/History.swift). 10 % is room for its clock; half a minute without a receiver hides no way.
(function () {
  "use strict";
  const DAYS = 7, KNOWN = 330e3, BREAK = 30e3;
  const byId = id => document.getElementById(id);
  const state = { overview: null, at: 0, history: [], cut: false, moment: null, playing: null, towns: [] };
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  function el(tag, attributes, ...children) {
    const svg = /^(svg|g|path|circle|line|text|rect|title)$/.test(tag);
    const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    for (const name in attributes || {}) {
      if (attributes[name] !== null && attributes[name] !== undefined) node.setAttribute(name, attributes[name]);
    }
    node.append(...children.filter(child => child !== null && child !== undefined && child !== ""));
    return node;
  }
  function put(id, ...children) { byId(id).replaceChildren(...children); }
  function say(id, text) { const node = byId(id); if (node.textContent !== text) node.textContent = text; }

  // Words ------------------------------------------------------------------------------------------------
  function span(seconds) {
    seconds = Math.max(0, seconds);
    if (seconds < 90) return Math.round(seconds) + " s";
    if (seconds < 5400) return Math.round(seconds / 60) + " min";
    if (seconds < 129600) return (seconds / 3600).toFixed(1) + " h";
    return (seconds / 86400).toFixed(1) + " days";
  }
  function clock(time) {
    const date = new Date(time), today = new Date(now()).toDateString() === date.toDateString();
    const text = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
    return today ? text : date.toLocaleDateString([], { weekday: "short", day: "numeric", month: "short" }) + " " + text;
  }
  function metres(value) {
    if (value === null || value === undefined) return "";
    return value < 1000 ? (value < 10 ? value.toFixed(1) : Math.round(value)) + " m" : (value / 1000).toFixed(1) + " km";
  }
  function joules(value) {
    if (value > 0 && value < .05) return "<0.1 J";
    if (value < 1000) return (value < 10 ? value.toFixed(1) : Math.round(value)) + " J";
    return (value / 1000).toPrecision(3) + " kJ";
  }
  function percent(value) { return (value >= 10 ? Math.round(value) : value >= .01 ? value.toPrecision(2) : "<0.01") + " %"; }
  // Words hold the service's time in UTC; the rest of the page has the reader's.
  const local = text => text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, time => clock(Date.parse(time)));
  const stateWords = {
    not_running: "not running", inactive: "inactive", active: "active", background: "in the background",
    suspended: "suspended"
  };
  // By the service's clock, as far as its last word tells it.
  function now() {
    const overview = state.overview;
    return overview ? overview.time + performance.now() - state.at : Date.now();
  }

  // Where ------------------------------------------------------------------------------------------------
  const WINDS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
  function way(from, to) {
    const east = (((to.longitude - from.longitude + 540) % 360) - 180) * Math.cos((from.latitude + to.latitude) / 2 * RAD);
    const north = to.latitude - from.latitude;
    return { metres: Math.hypot(east, north) * RAD * RADIUS, wind: WINDS[Math.round(Math.atan2(east, north) / RAD / 45 + 8) % 8] };
  }
  const regionsKnown = () => state.overview ? state.overview.explanations.flatMap(answer => (answer.regions || []).filter(region => region.radius_m)) : [];
  // In words: in a region, beside the nearest named thing, or against where it was at the beginning of what is shown.
  function whereabouts(fix) {
    const regions = regionsKnown(), least = Math.max(50, 2 * (fix.accuracy_m || 0));
    const inside = regions.filter(region => way(region, fix).metres <= region.radius_m).sort((a, b) => a.radius_m - b.radius_m)[0];
    if (inside) return "In " + inside.region;
    const named = [...regions.map(region => ({ ...region, name: region.region })), ...state.towns].map(thing => ({ name: thing.name, ...way(thing, fix) }))
      .reduce((a, b) => a && a.metres <= b.metres ? a : b, null);
    if (named && named.metres < 50e3) return named.metres < least ? "At " + named.name : metres(named.metres) + " " + named.wind + " of " + named.name;
    const first = positions().find(entry => entry.time >= window_().from);
    if (!first) return "There is a position";
    const since = way(first, fix);
    return (since.metres < least ? "Where it was at " : metres(since.metres) + " " + since.wind + " of where it was at ") + clock(first.time);
  }

  // Now --------------------------------------------------------------------------------------------------
  function showNow() {
    if (!state.overview) return;
    const status = state.overview.status, last = status.last_fix, passed = (performance.now() - state.at) / 1000;
    if (last) {
      const fix = last.fix;
      say("now-title", whereabouts(fix));
      const parts = [fix.latitude.toFixed(5) + ", " + fix.longitude.toFixed(5)
        + (fix.accuracy_m ? " ±\u00a0" + metres(fix.accuracy_m).replace(" ", "\u00a0") : ""), span(last.age_s + passed) + " ago"];
      if (last.device) parts.push("from " + last.device);
      if (fix.source === "network") parts.push("by the network");
      if (fix.speed_mps || fix.speed_mps === 0) parts.push(Math.round(fix.speed_mps * 3.6) + " km/h");
      if (fix.satellites) parts.push(fix.satellites + " satellites");
      say("fix-note", parts.join(" · "));
    } else {
      say("now-title", "No position yet");
      say("fix-note", "");
    }
    const receiver = status.receiver;
    let text = { off: "Receiver off", continuous: "Receiver on", session: "Receiver on for a look" }[receiver.plan];
    text += " for " + span((now() - Date.parse(receiver.since)) / 1000);
    if (receiver.until) text += "; next look at " + clock(receiver.until) + ", in " + span((Date.parse(receiver.until) - now()) / 1000);
    // When the next look is, is said.
    const reason = /^the next session is in [\d.]+ \S+$/.test(receiver.reason) ? "" : ": " + local(receiver.reason);
    say("receiver", text + reason + ".");
    const troubles = [];
    if (status.store.state !== "ok") troubles.push("Store: " + (status.store.warning || status.store.state));
    if (status.gpsd.state === "unreachable") troubles.push("gpsd: " + status.gpsd.text);
    if (status.lost_events) troubles.push(status.lost_events + " events were lost, since too many waited");
    say("trouble", troubles.join(". "));
    byId("trouble").hidden = troubles.length === 0;
  }

  // What a sink sent, and what that cost.
  function sent(sink) {
    const facts = [sink.taken + " taken"];
    if (sink.transfers) {
      facts.push(sink.transfers + (sink.transfers === 1 ? " transfer" : " transfers"), sink.sent_bytes + sink.received_bytes + " B");
    }
    if (sink.energy_j_per_day !== null) facts.push(joules(sink.energy_j_per_day) + " a day");
    else if (sink.energy_j !== null) facts.push(joules(sink.energy_j) + " so far");
    return facts.join(" · ");
  }
  function card(row, explanation, sink) {
    const held = row.held ? "held" : "";
    const node = el("article", { class: "card", "data-app": row.name },
      el("h3", null, row.name,
        el("span", { class: "chip " + (held || row.state) }, held || stateWords[row.state] || row.state)));
    if (explanation) {
      const says = explanation.text.charAt(0).toUpperCase() + explanation.text.slice(1);
      node.append(el("p", { class: "why" }, local(says) + "."));
      if (explanation.advice) node.append(el("p", { class: "note" }, "To do: " + local(explanation.advice)));
      const list = [...explanation.answers.map(answer => answer.service + ": " + answer.text),
        ...(explanation.regions || []).map(region => "region " + region.region + ": " + region.text)];
      if (list.length) node.append(el("ul", { class: "verdicts" }, ...list.map(text => el("li", null, local(text)))));
    }
    const facts = [row.services.length ? row.services.join(", ") : "no service", "authorized: " + row.authorization];
    facts.push(row.pending + " pending");
    if (row.given_up) facts.push(row.given_up + " given up");
    if (row.last_delivery) facts.push("last told at " + clock(row.last_delivery));
    node.append(el("p", { class: "note" }, facts.join(" · ")));
    if (sink) node.append(el("p", { class: "note sent" }, sent(sink)));
    for (const text of [row.held, row.trouble]) {
      // Said already.
      if (text && !(explanation && explanation.text.includes(text))) node.append(el("p", { class: "trouble" }, local(text)));
    }
    return node;
  }
  function showApps() {
    const status = state.overview.status;
    const why = new Map(state.overview.explanations.map(answer => [answer.app, answer]));
    const sinkRows = new Map((status.sinks || []).map(sink => [sink.name, sink]));
    const cards = kind => status.apps.filter(row => (row.kind === "sink") === kind)
      .map(row => card(row, why.get(row.name), sinkRows.get(row.name)));
    const apps = cards(false), sinks = cards(true);
    put("app-list", ...(apps.length ? apps : [el("p", { class: "note" }, "No app is registered: milepost apps add MANIFEST.")]));
    put("sink-list", ...sinks);
    byId("sinks").hidden = sinks.length === 0;
  }

  // Energy -----------------------------------------------------------------------------------------------
  function bar(name, words, parts, most) {
    let from = 0;
    const picture = el("svg", { class: "bars", viewBox: "0 0 1000 22", preserveAspectRatio: "none", "aria-hidden": "true" });
    for (const part of parts) {
      const width = most > 0 ? part.energy_j / most * 1000 : 0;
      picture.append(el("rect", { class: part.component, x: from, y: 0, width: Math.max(width, part.energy_j > 0 ? 1 : 0), height: 22 }));
      from += width;
    }
    return el("div", { class: "row", "data-energy": name }, el("p", null, ...[words].flat()), picture);
  }
  const componentWords = {
    gnss: "satellite receiver", soc: "processor", cell: "cellular", wifi: "Wi-Fi", sensor: "motion sensor", flash: "flash memory"
  };
  // Each part in words, behind the colour that it has in the bar.
  const keys = parts => parts.map((part, index) => el("span", { class: "item" }, el("span", { class: "key part " + part.component }),
    (componentWords[part.component] || part.component) + " " + joules(part.energy_j) + (index < parts.length - 1 ? "," : "")))
    .flatMap(item => [item, " "]);
  const range = part => joules(part.energy_j) + " (" + joules(part.energy_low_j) + " to " + joules(part.energy_high_j) + ")";
  function showEnergy() {
    const status = state.overview.status, energy = status.energy, whole = energy.continuous;
    const most = Math.max(energy.total.energy_j, whole ? whole.energy_j : 0, energy.baseline.energy_j, 1e-9);
    const parts = energy.components.filter(part => part.energy_j > 0);
    let words = joules(energy.total.energy_j) + " above the baseline in " + span(energy.metered_s);
    if (whole && whole.energy_j > 0) {
      words += ": " + percent(energy.total.energy_j / whole.energy_j * 100) + " of what continuous updates would have taken";
    }
    if (energy.battery_j) words += "; " + percent(energy.total.energy_j / energy.battery_j * 100) + " of a full battery";
    say("energy-words", words + ".");
    const rows = [bar("so-far", ["So far: " + range(energy.total) + (parts.length ? " · " : ""), ...keys(parts)], parts, most)];
    if (whole) rows.push(bar("continuous", "Continuous, at least: " + range(whole), [whole], most));
    const modes = (energy.modes || []).map(part => ({ ...part, component: part.mode || "nobody" }));
    if (modes.length) {
      rows.push(bar("modes", ["By mode: ", ...keys(modes)], modes, most));
    }
    rows.push(bar("baseline", "The device anyway: " + range(energy.baseline), [energy.baseline], most));
    put("energy-bars", ...rows);
    say("energy-note", "Modelled for " + status.device_profile + ", network " + status.network_profile
      + ". Continuous is a receiver that always tracks and a processor that never sleeps, without the apps' work. A mode is what any app asked for, the one that takes most."
      + (energy.earlier_j > 0 ? " Services before this one: " + joules(energy.earlier_j) + "." : ""));
  }
  function showFacts() {
    const status = state.overview.status, facts = [];
    const add = (name, text) => { if (text) facts.push(el("dt", null, name), el("dd", null, text)); };
    add("milepostd", status.release + ", process " + status.pid + ", up " + span(status.uptime_s));
    add("gpsd", status.gpsd.host + ":" + status.gpsd.port + ", " + status.gpsd.state + ": " + status.gpsd.text);
    for (const device of status.devices) {
      add("device", device.path + (device.driver ? " (" + device.driver + ")" : "")
        + (device.silent_s === null ? ", no report yet" : ", last report " + span(device.silent_s) + " ago"));
    }
    add("rules", "policy " + status.policy + ", era " + status.era);
    add("freezer", status.freezer + "; " + status.clients + (status.clients === 1 ? " client" : " clients"));
    add("store", status.store.path + (status.store.warning ? ": " + status.store.warning : ""));
    for (const gap of status.gaps) add("not watched", (gap.start ? clock(gap.start) + " to " : "until ") + clock(gap.end) + ": " + gap.reason);
    put("facts", ...facts);
  }

  // The past ---------------------------------------------------------------------------------------------
  function take(document_) {
    const fresh = document_.entries.map(entry => Object.assign(entry, { time: Date.parse(entry.at) }));
    const known = new Set(state.history.slice(-200).map(key));
    state.history.push(...fresh.filter(entry => !known.has(key(entry))));
    const oldest = now() - DAYS * 86400e3;
    let stale = 0;
    while (stale < state.history.length && state.history[stale].time < oldest) stale++;
    state.history.splice(0, stale);
    state.cut = state.cut || document_.cut;
  }
  const key = entry => [entry.at, entry.kind, entry.app, entry.word, entry.text].join("|");
  function window_() {
    const to = now(), span_ = Number(byId("span").value) * 1000;
    return { from: to - span_, to: to };
  }
  const isBreak = entry => entry.kind === "unwatched" || entry.kind === "receiver" && entry.word === "off";
  // In order, each with whether nobody looked for a time since the one before.
  function positions() {
    const list = [];
    let isBroken = false;
    for (const entry of state.history) {
      if (isBreak(entry)) isBroken = true;
      if (entry.kind !== "position") continue;
      entry.broken = isBroken;
      isBroken = false;
      list.push(entry);
    }
    return list;
  }
  const isSeen = (last, entry) => entry.time - last.time < (entry.broken ? BREAK : KNOWN);
  // Whether the place at a time is known by that position.
  function isKnown(place, time) {
    const broken = lastBefore(time, isBreak);
    return isSeen(place, { time: time, broken: broken !== null && broken.time > place.time });
  }
  // The beginning of what is kept within a span: before it nothing can be known.
  const begun = (from, to) => Math.max(from, state.history.length ? state.history[0].time : to);
  // The newest entry that `test` takes, at or before a time.
  function lastBefore(time, test) {
    for (let index = state.history.length - 1; index >= 0; index--) {
      const entry = state.history[index];
      if (entry.time <= time && test(entry)) return entry;
    }
    return null;
  }
  // Stretches of one lane: [{from, to, word}].
  function stretches(test, from, to, current) {
    const list = [], first = lastBefore(from, test);
    let word = first ? first.word : null, start = from;
    for (const entry of state.history) {
      if (entry.time <= from || entry.time > to || !test(entry)) continue;
      if (word) list.push({ from: start, to: entry.time, word: word });
      word = entry.word; start = entry.time;
    }
    if (!word && current && !list.length) word = current;
    if (word) list.push({ from: start, to: to, word: word });
    return list;
  }
  function blindTimes(from, to) {
    const list = [], start = begun(from, to);
    let last = null;
    const blind = end => list.push({ from: Math.max(start, last ? last.time : start), to: Math.min(to, end) });
    for (const entry of positions()) {
      if (!last || !isSeen(last, entry)) blind(entry.time);
      last = entry;
    }
    if (!last || !isKnown(last, to)) blind(to);
    return list.filter(part => part.to > part.from);
  }

  function showLanes() {
    const box = byId("lanes"), width = Math.max(300, box.clientWidth || 800), left = width < 560 ? 84 : 130;
    const { from, to } = window_(), row = 26, top = 4;
    const x = time => left + (time - from) / (to - from) * (width - left - 4);
    const names = state.overview ? state.overview.status.apps.map(app => app.name) : [];
    for (const entry of state.history) if (entry.app && !names.includes(entry.app)) names.push(entry.app);
    const height = top + row * (names.length + 2) + 24;
    const svg = el("svg", { viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": laneWords(names, from, to) });
    svg.setAttribute("height", height);
    let y = top;
    const lane = name => {
      svg.append(el("rect", { class: "lane", x: left, y: y, width: width - left - 4, height: row - 6 }));
      const shown = name.length > left / 8 ? name.slice(0, Math.floor(left / 8) - 1) + "…" : name;
      svg.append(el("text", { class: "label", x: 0, y: y + 15 }, el("title", null, name), shown));
    };
    const block = (part, kind, inset, label) => svg.append(el("rect", {
      class: kind, x: x(part.from).toFixed(1), width: Math.max(1.5, x(part.to) - x(part.from)).toFixed(1), y: y + inset, height: row - 6 - 2 * inset
    }, el("title", null, label + ", " + clock(part.from) + " to " + clock(part.to))));
    lane("position");
    for (const part of blindTimes(from, to)) block(part, "blind", 0, "no position known");
    y += row;
    lane("receiver");
    const current = state.overview && state.overview.status.receiver.plan;
    for (const part of stretches(entry => entry.kind === "receiver", from, to, current)) {
      if (part.word !== "off") block(part, "on", 2, "receiver on");
    }
    for (const name of names) {
      y += row;
      lane(name);
      const app = state.overview && state.overview.status.apps.find(app => app.name === name);
      for (const part of stretches(entry => entry.kind === "state" && entry.app === name, from, to, app && app.state)) {
        const kind = { active: "active", inactive: "active", background: "background", suspended: "suspended" }[part.word];
        if (kind) block(part, kind, kind === "suspended" ? 8 : 2, name + " " + stateWords[part.word]);
      }
      for (const entry of state.history) {
        if (entry.kind !== "delivery" || entry.app !== name || entry.time < from || entry.time > to) continue;
        svg.append(el("line", { class: "tick", x1: x(entry.time), x2: x(entry.time), y1: y - 1, y2: y + row - 5 },
          el("title", null, name + ", " + clock(entry.time) + ": " + (entry.text || ""))));
      }
    }
    // What stood before it cannot be known to have gone on while no service ran.
    for (const entry of state.history) {
      if (entry.kind !== "unwatched" || !entry.since || entry.time < from) continue;
      const start = Math.max(from, Date.parse(entry.since));
      svg.append(el("rect", { class: "blind", x: x(start), y: top, width: Math.max(1, x(entry.time) - x(start)), height: y + row - 6 - top },
        el("title", null, entry.text || "nobody watched")));
    }
    y += row + 12;
    const steps = [60, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400].map(step => step * 1000);
    const step = steps.find(step => (to - from) / step <= (width - left) / 62) || 86400e3;
    const zone = new Date(to).getTimezoneOffset() * 60e3;
    for (let time = Math.ceil((from - zone) / step) * step + zone; time < to; time += step) {
      const label = step >= 86400e3 ? new Date(time).toLocaleDateString([], { weekday: "short", day: "numeric" })
        : new Date(time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      svg.append(el("g", null, el("line", { class: "grid", x1: x(time), x2: x(time), y1: top, y2: y - 12 }),
        x(time) > width - 36 ? null : el("text", { x: x(time), y: y + 4, "text-anchor": "middle" }, label)));
    }
    if (state.moment !== null) svg.append(el("line", { class: "cursor", x1: x(state.moment), x2: x(state.moment), y1: 0, y2: y - 12 }));
    box.replaceChildren(svg);
  }
  function laneWords(names, from, to) {
    const told = state.history.filter(entry => entry.kind === "delivery" && entry.time >= from && entry.time <= to).length;
    const on = stretches(entry => entry.kind === "receiver", from, to, null).filter(part => part.word !== "off")
      .reduce((sum, part) => sum + part.to - part.from, 0);
    return "Time lines of position, receiver and " + names.length + " apps over " + span((to - from) / 1000) + ": the receiver was on for "
      + span(on / 1000) + ", and apps were told " + told + " times. The list below says each.";
  }
  function showList() {
    const { from, to } = window_();
    const list = state.history.filter(entry => entry.kind !== "position" && entry.time >= from && entry.time <= to).slice(-200).reverse();
    put("happened", ...list.map(entry => el("li", null, el("time", { datetime: entry.at }, clock(entry.time)),
      (entry.app ? entry.app + ": " : "") + (entry.kind === "receiver" ? "receiver " + (entry.word === "off" ? "off" : "on") + ": " : "") + local(entry.text || entry.word))));
    const count = positions().filter(entry => entry.time >= from).length;
    say("past-note", count + " positions and " + list.length + (list.length === 200 ? " or more" : "") + " events are kept of this time"
      + (state.cut ? "; what is older than " + clock(state.history[0].time) + " is left out" : "") + ". Positions are thinned.");
  }
  function showMoment() {
    const { from, to } = window_(), slider = byId("moment");
    byId("live").hidden = state.moment === null;
    if (state.moment === null) {
      slider.value = slider.max;
      slider.setAttribute("aria-valuetext", "now");
      say("moment-words", "Now. Move the slider, or play, to see an earlier moment.");
      return map.then(null);
    }
    const time = Math.min(Math.max(state.moment, from), to);
    slider.value = Math.round((time - from) / (to - from) * Number(slider.max));
    const place = lastBefore(time, entry => entry.kind === "position");
    const words = [clock(time)];
    if (place && isKnown(place, time)) {
      words.push(place.latitude.toFixed(5) + ", " + place.longitude.toFixed(5) + (place.accuracy_m ? " ± " + metres(place.accuracy_m) : ""));
    } else {
      words.push(place ? "no position known; the last one was " + span((time - place.time) / 1000) + " old" : "no position known");
    }
    const plan = lastBefore(time, entry => entry.kind === "receiver");
    if (plan) words.push("receiver " + (plan.word === "off" ? "off" : "on"));
    for (const app of state.overview ? state.overview.status.apps : []) {
      const last = lastBefore(time, entry => entry.kind === "state" && entry.app === app.name);
      if (last) words.push(app.name + " " + (stateWords[last.word] || last.word));
    }
    slider.setAttribute("aria-valuetext", words.join("; "));
    say("moment-words", words.join(" · "));
    map.then(place);
  }

  // The map ----------------------------------------------------------------------------------------------
  const RADIUS = 6371008.8, RAD = Math.PI / 180;
  // Both maps answer the same: show(track, fix, regions), then(place), zoom(factor), move(x, y), fit().
  function ownMap(box) {
    let view = null, data = { track: [], fix: null, regions: [] }, place = null, wanted = null, ground = null;
    // Metres east and north of the view's middle, on a cylinder that touches there: right for a journey's map.
    const flat = (latitude, longitude) => ({
      x: (((longitude - view.longitude + 540) % 360) - 180) * RAD * RADIUS * Math.cos(view.latitude * RAD),
      y: (latitude - view.latitude) * RAD * RADIUS
    });
    function fit() {
      const points = data.track.map(entry => [entry.latitude, entry.longitude, 0]);
      if (data.fix) points.push([data.fix.latitude, data.fix.longitude, data.fix.accuracy_m || 0]);
      if (!points.length) for (const region of data.regions) points.push([region.latitude, region.longitude, region.radius_m]);
      if (!points.length) { view = null; return; }
      // Longitudes are taken round the first one, so that a track across 180° stays whole.
      const round = value => points[0][1] + ((value - points[0][1] + 540) % 360) - 180;
      const south = Math.min(...points.map(point => point[0])), north = Math.max(...points.map(point => point[0]));
      const west = Math.min(...points.map(point => round(point[1]))), east = Math.max(...points.map(point => round(point[1])));
      const radius = Math.max(...points.map(point => point[2]));
      view = { latitude: (south + north) / 2, longitude: (west + east) / 2, metres: 1 };
      const wide = (east - west) * RAD * RADIUS * Math.cos(view.latitude * RAD) + 2 * radius, high = (north - south) * RAD * RADIUS + 2 * radius;
      view.metres = Math.max(wide / (box.clientWidth - 80), high / (box.clientHeight - 80), .25);
    }
    function draw() {
      const width = box.clientWidth, height = box.clientHeight;
      const svg = el("svg", { viewBox: "0 0 " + width + " " + height, role: "img", "aria-labelledby": "map-words" });
      if (!view) {
        svg.append(el("text", { x: 16, y: 28 }, "No position is known yet."));
        return box.replaceChildren(svg);
      }
      const at = (latitude, longitude) => {
        const point = flat(latitude, longitude);
        return { x: width / 2 + point.x / view.metres, y: height / 2 - point.y / view.metres };
      };
      if (ground) under(svg, at, width, height);
      grid(svg, at, width, height);
      for (const region of data.regions) {
        const middle = at(region.latitude, region.longitude);
        svg.append(el("circle", { class: "region", cx: middle.x, cy: middle.y, r: region.radius_m / view.metres }),
          el("text", { class: "name", x: middle.x, y: middle.y - region.radius_m / view.metres - 4, "text-anchor": "middle" }, region.region));
      }
      let known = "", unseen = "", last = null;
      for (const entry of data.track) {
        const point = at(entry.latitude, entry.longitude), text = point.x.toFixed(1) + " " + point.y.toFixed(1);
        if (last && isSeen(last, entry)) known += "L" + text;
        else {
          if (last) unseen += "M" + last.text + "L" + text;
          known += "M" + text;
        }
        last = { time: entry.time, text: text };
      }
      svg.append(el("path", { class: "unseen", d: unseen }), el("path", { class: "known", d: known }));
      const fix = data.fix;
      if (fix) {
        const point = at(fix.latitude, fix.longitude);
        if (fix.accuracy_m) svg.append(el("circle", { class: "circle", cx: point.x, cy: point.y, r: fix.accuracy_m / view.metres }));
        svg.append(el("circle", { class: "here", cx: point.x, cy: point.y, r: 7 }));
      }
      if (place) {
        const point = at(place.latitude, place.longitude);
        svg.append(el("circle", { class: "then", cx: point.x, cy: point.y, r: 7 }));
      }
      scale(svg, height);
      box.replaceChildren(svg);
    }
    // What lies under the track, as far as a map of this scale shows it. Longitudes go the short way from the
    // middle of a thing, so that no line is drawn around the earth.
    function under(svg, at, width, height) {
      const group = el("g", { class: "ground", "aria-hidden": "true" }), paths = new Map(), names = [];
      for (const thing of ground.things) {
        if (thing.coarsest !== null && view.metres > thing.coarsest || view.metres < thing.finest) continue;
        const spread = (thing.east - thing.west) * RAD * RADIUS * Math.cos(view.latitude * RAD) / view.metres;
        const bottom = at(thing.south, (thing.west + thing.east) / 2), top = at(thing.north, thing.west).y, left = bottom.x - spread / 2;
        if (left > width || left + spread < 0 || top > height || bottom.y < 0) continue;
        if (thing.name) { names.push(thing); continue; }
        let path = paths.get(thing.kind) || "";
        for (const part of thing.parts) {
          let last = null;
          for (let index = 0; index < part.length; index += 2) {
            const x = left + (part[index] - thing.west) / (thing.east - thing.west || 1) * spread, y = at(part[index + 1], thing.west).y;
            if (last && Math.abs(x - last.x) < .7 && Math.abs(y - last.y) < .7 && index + 2 < part.length) continue;
            path += (last ? "L" : "M") + x.toFixed(1) + " " + y.toFixed(1);
            last = { x, y };
          }
        }
        paths.set(thing.kind, path);
      }
      if (paths.has("land")) group.append(el("rect", { width: width, height: height }));
      for (const [kind, path] of paths) group.append(el("path", { class: kind, "fill-rule": "evenodd", d: path }));
      const taken = [];
      for (const thing of names.reverse()) {
        const point = at(thing.parts[0][1], thing.parts[0][0]), reach = thing.name.length * 7 + 10;
        if (taken.length >= 20 || point.x + reach > width || point.y < 12 || point.y > height - 30) continue;
        if (taken.some(other => Math.abs(other.y - point.y) < 16 && point.x < other.x + other.reach && other.x < point.x + reach)) continue;
        taken.push({ x: point.x, y: point.y, reach: reach });
        group.append(el("circle", { cx: point.x, cy: point.y, r: 2 }), el("text", { x: point.x + 5, y: point.y + 4 }, thing.name));
      }
      group.append(el("text", { x: width - 6, y: height - 6, "text-anchor": "end" }, ground.credits.join("; ")));
      svg.append(group);
    }
    function nice(value, list) { return list.find(step => step >= value) || list[list.length - 1]; }
    function grid(svg, at, width, height) {
      const steps = [];
      for (let power = -5; power < 2; power++) for (const digit of [1, 2, 5]) steps.push(digit * Math.pow(10, power));
      const northStep = nice(view.metres * 110 / (RAD * RADIUS), steps);
      const eastStep = nice(view.metres * 130 / (RAD * RADIUS * Math.max(.05, Math.cos(view.latitude * RAD))), steps);
      const digits = step => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
      const spanY = height / 2 * view.metres / RAD / RADIUS, spanX = width / 2 * view.metres / RAD / RADIUS / Math.max(.05, Math.cos(view.latitude * RAD));
      for (let value = Math.ceil((view.latitude - spanY) / northStep) * northStep; value < view.latitude + spanY; value += northStep) {
        const y = at(value, view.longitude).y;
        svg.append(el("line", { class: "grid", x1: 0, x2: width, y1: y, y2: y }), el("text", { x: 6, y: y - 4 }, value.toFixed(digits(northStep)) + "°"));
      }
      for (let value = Math.ceil((view.longitude - spanX) / eastStep) * eastStep; value < view.longitude + spanX; value += eastStep) {
        const x = at(view.latitude, value).x;
        svg.append(el("line", { class: "grid", x1: x, x2: x, y1: 0, y2: height }),
          el("text", { x: x + 4, y: 14 }, ((value + 540) % 360 - 180).toFixed(digits(eastStep)) + "°"));
      }
    }
    function scale(svg, height) {
      const steps = [];
      for (let power = 0; power < 7; power++) for (const digit of [1, 2, 5]) steps.push(digit * Math.pow(10, power));
      const length = nice(view.metres * 60, steps), pixels = length / view.metres;
      svg.append(el("line", { class: "scale", x1: 12, x2: 12 + pixels, y1: height - 14, y2: height - 14 }),
        el("text", { class: "name", x: 12, y: height - 20 }, metres(length)));
    }
    let drag = null;
    box.addEventListener("pointerdown", event => { drag = { x: event.clientX, y: event.clientY }; box.setPointerCapture(event.pointerId); });
    box.addEventListener("pointerup", () => { drag = null; });
    box.addEventListener("pointercancel", () => { drag = null; });
    box.addEventListener("pointermove", event => {
      if (!drag || !view) return;
      map.move(drag.x - event.clientX, drag.y - event.clientY);
      drag = { x: event.clientX, y: event.clientY };
    });
    box.addEventListener("wheel", event => { if (event.ctrlKey) { event.preventDefault(); map.zoom(event.deltaY < 0 ? 1.25 : .8); } }, { passive: false });
    new ResizeObserver(() => { if (following) fit(); draw(); }).observe(box);
    return {
      show(track, fix, regions) { data = { track, fix, regions }; if (following || !view) fit(); draw(); },
      then(entry) { place = entry; draw(); },
      zoom(factor) { if (view) { setFollowing(false); view.metres /= factor; draw(); } },
      move(x, y) {
        if (!view) return;
        setFollowing(false);
        view.latitude = Math.max(-89, Math.min(89, view.latitude - y * view.metres / RAD / RADIUS));
        view.longitude += x * view.metres / RAD / RADIUS / Math.cos(view.latitude * RAD);
        draw();
      },
      fit() { fit(); draw(); },
      under(fresh) {
        for (const thing of fresh.things) {
          const east = thing.parts.flatMap(part => part.filter((_, index) => index % 2 === 0));
          const north = thing.parts.flatMap(part => part.filter((_, index) => index % 2 === 1));
          const least = list => list.reduce((a, b) => a < b ? a : b), most = list => list.reduce((a, b) => a > b ? a : b);
          Object.assign(thing, { west: least(east), east: most(east), south: least(north), north: most(north) });
        }
        ground = fresh;
        draw();
      }
    };
  }
  function leafletMap(box, tiles) {
    const L = window.L, chart = L.map(box, { zoomControl: false, keyboard: true, zoomAnimation: !calm.matches, fadeAnimation: !calm.matches });
    chart.setView([0, 0], 2);
    const ink = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
    if (tiles) {
      const isOSM = /(^|\.)openstreetmap\.org\//.test(tiles.split("://")[1] || "");
      L.tileLayer(tiles, {
        maxZoom: 19,
        attribution: isOSM ? '© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors' : ""
      }).addTo(chart);
    }
    L.control.scale({ imperial: false }).addTo(chart);
    const layer = L.layerGroup().addTo(chart), cursor = L.layerGroup().addTo(chart);
    let bounds = null;
    const fit = () => { if (bounds && bounds.isValid()) chart.fitBounds(bounds, { padding: [40, 40], maxZoom: 17, animate: false }); };
    chart.on("dragstart", () => setFollowing(false));
    return {
      show(track, fix, regions) {
        layer.clearLayers();
        bounds = L.latLngBounds([]);
        let part = [], last = null;
        const line = (points, color, dash) => { if (points.length > 1) L.polyline(points, { color, weight: dash ? 2 : 3, dashArray: dash }).addTo(layer); };
        for (const entry of track) {
          const point = [entry.latitude, entry.longitude];
          bounds.extend(point);
          if (last && !isSeen(last, entry)) {
            line(part, ink("ink"));
            line([part[part.length - 1], point], ink("blind"), "4 4");
            part = [];
          }
          part.push(point);
          last = entry;
        }
        line(part, ink("ink"));
        for (const region of regions) {
          L.circle([region.latitude, region.longitude], { radius: region.radius_m, color: ink("standard"), weight: 2, dashArray: "2 4", fill: false })
            .bindTooltip(document.createTextNode(region.region).textContent.replace(/[<&]/g, "?"), { permanent: true, direction: "top" }).addTo(layer);
        }
        if (fix) {
          const point = [fix.latitude, fix.longitude];
          bounds.extend(point);
          if (fix.accuracy_m) L.circle(point, { radius: fix.accuracy_m, color: ink("significant"), weight: 1, fillOpacity: .18 }).addTo(layer);
          L.circleMarker(point, { radius: 7, color: ink("paper"), fillColor: ink("significant"), fillOpacity: 1, weight: 2 }).addTo(layer);
        }
        if (following) fit();
      },
      then(entry) {
        cursor.clearLayers();
        if (entry) L.circleMarker([entry.latitude, entry.longitude], { radius: 7, color: ink("paper"), fillColor: ink("continuous"), fillOpacity: 1, weight: 2 }).addTo(cursor);
      },
      zoom(factor) { setFollowing(false); factor > 1 ? chart.zoomIn() : chart.zoomOut(); },
      move() { },
      fit
    };
  }
  let following = true;
  function setFollowing(value) {
    following = value;
    byId("follow").setAttribute("aria-pressed", String(value));
  }
  const hasLeaflet = Boolean(window.L && window.L.map);
  const map = hasLeaflet ? leafletMap(byId("map"), document.body.dataset.tiles) : ownMap(byId("map"));
  document.body.dataset.map = hasLeaflet ? "leaflet" : "own";
  // Without it the map is as good as before.
  if (document.body.dataset.ground && !hasLeaflet) askGround(1000).catch(() => { });

  function showMap() {
    const { from, to } = window_();
    const track = positions().filter(entry => entry.time >= from && entry.time <= to);
    const overview = state.overview, last = overview && overview.status.last_fix;
    const regions = regionsKnown(), kept = begun(from, to);
    const drawn = last ? track.concat([{ time: Date.parse(last.received), latitude: last.fix.latitude, longitude: last.fix.longitude }]) : track;
    map.show(drawn, last ? last.fix : null, regions);
    const blind = blindTimes(from, to).reduce((sum, part) => sum + part.to - part.from, 0);
    say("map-words", (track.length ? track.length + " positions in " + span((to - kept) / 1000) : "No position is kept of the last " + span((to - kept) / 1000))
      + (blind < 1000 ? "" : "; where the device was is not known for " + span(blind / 1000) + " of it")
      + (regions.length ? "; " + regions.length + (regions.length === 1 ? " region" : " regions") : "") + ".");
  }

  // What comes in ----------------------------------------------------------------------------------------
  let showing = false;
  function showPast() {
    if (showing) return;
    showing = true;
    setTimeout(() => { showing = false; showMap(); showLanes(); showList(); showMoment(); }, 0);
  }
  function marks(overview) {
    return overview ? JSON.stringify([overview.status.receiver.plan, overview.status.apps.map(app => [app.name, app.state, app.last_delivery])]) : "";
  }
  function showOverview(overview) {
    const before = marks(state.overview);
    overview.time = Date.parse(overview.status.since) + overview.status.uptime_s * 1000;
    const last = overview.status.last_fix;
    // The instant of the answer by the service's clock, where a position tells it; since and uptime else.
    if (last) overview.time = Date.parse(last.received) + last.age_s * 1000;
    state.overview = overview;
    state.at = performance.now();
    showNow(); showApps(); showEnergy(); showFacts();
    if (last) addLive(last);
    showPast();
    if (before && before !== marks(overview)) askRest();
  }
  // The service keeps the same positions; they are shown before it is asked again.
  function addLive(last) {
    const time = Date.parse(last.received), newest = lastBefore(Infinity, entry => entry.kind === "position");
    if (newest && time - newest.time < 5000) return;
    state.history.push({
      at: last.received, time: time, kind: "position", latitude: last.fix.latitude, longitude: last.fix.longitude,
      accuracy_m: last.fix.accuracy_m, live: true
    });
  }
  async function ask(path) {
    const answer = await fetch(path, { credentials: "same-origin", cache: "no-store" });
    if (!answer.ok) throw new Error((await answer.text()).trim());
    return answer.json();
  }
  // 503: it is still being read.
  async function askGround(pause) {
    const answer = await fetch("ground", { credentials: "same-origin", cache: "no-store" });
    if (answer.ok) {
      const ground = await answer.json();
      state.towns = ground.things.filter(thing => thing.name)
        .map(thing => ({ name: thing.name, longitude: thing.parts[0][0], latitude: thing.parts[0][1] }));
      showNow();
      return map.under(ground);
    }
    if (answer.status !== 503) return;
    await new Promise(done => setTimeout(done, pause));
    return askGround(Math.min(2 * pause, 15000));
  }
  const wire = time => new Date(time).toISOString();
  async function askAll() {
    const to = now() + 60e3;
    const history = await ask("history?from=" + wire(to - DAYS * 86400e3) + "&to=" + wire(to));
    state.history = [];
    state.cut = false;
    take(history);
    showPast();
  }
  let resting = null;
  function askRest() {
    if (resting) return;
    resting = setTimeout(async () => {
      resting = null;
      state.history = state.history.filter(entry => !entry.live);
      const last = state.history[state.history.length - 1];
      try {
        take(await ask("history?from=" + wire(last ? last.time : now() - DAYS * 86400e3) + "&to=" + wire(now() + 60e3)));
        showPast();
      } catch (error) { lost(error.message); }
    }, 1500);
  }
  function line(text, isLost) {
    say("line", text);
    byId("line").className = isLost ? "lost" : "";
  }
  function lost(why) { line("No line to milepostd" + (why ? ": " + why : "") + ". What is shown is of " + clock(now()) + ".", true); }
  function live() { line("Live"); }

  function listen() {
    const events = new EventSource("events");
    events.addEventListener("overview", event => { showOverview(JSON.parse(event.data)); live(); });
    events.addEventListener("reset", () => { askAll().catch(error => lost(error.message)); });
    events.addEventListener("full", () => { events.close(); lost("too many pages are open; close one"); });
    events.addEventListener("error", () => {
      lost("");
      // A daemon that was started anew does not know the cookie: the browser gives up, and so it is said.
      if (events.readyState === EventSource.CLOSED) ask("status").catch(error => lost(error.message));
    });
  }

  // What the user does -----------------------------------------------------------------------------------
  byId("span").addEventListener("change", () => { state.moment = null; stop(); showPast(); });
  byId("moment").addEventListener("input", event => {
    const { from, to } = window_(), share = Number(event.target.value) / Number(event.target.max);
    stop();
    state.moment = share >= 1 ? null : from + share * (to - from);
    showMoment(); showLanes();
  });
  byId("live").addEventListener("click", () => { stop(); state.moment = null; showMoment(); showLanes(); });
  function stop() {
    if (state.playing) clearInterval(state.playing);
    state.playing = null;
    say("play", "Play");
  }
  byId("play").addEventListener("click", () => {
    if (state.playing) return stop();
    const { from, to } = window_();
    if (state.moment === null || state.moment >= to) {
      const first = state.history.find(entry => entry.time >= from);
      state.moment = first ? first.time : from;
    }
    say("play", "Pause");
    // The whole span in 40 s; who wants less motion sees a step a second.
    const pause = calm.matches ? 1000 : 100;
    state.playing = setInterval(() => {
      state.moment += (to - from) / 40e3 * pause;
      if (state.moment >= now()) { state.moment = null; stop(); }
      showMoment(); showLanes();
    }, pause);
  });
  byId("zoom-in").addEventListener("click", () => map.zoom(1.5));
  byId("zoom-out").addEventListener("click", () => map.zoom(1 / 1.5));
  byId("fit").addEventListener("click", () => map.fit());
  byId("follow").addEventListener("click", () => { setFollowing(!following); showMap(); });
  if (!hasLeaflet) byId("map").addEventListener("keydown", event => {
    const moves = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] };
    if (moves[event.key]) map.move(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") map.zoom(1.5);
    else if (event.key === "-") map.zoom(1 / 1.5);
    else if (event.key === "Home") map.fit();
    else return;
    event.preventDefault();
  });
  addEventListener("resize", () => { if (state.overview) showLanes(); });
  setInterval(() => { if (!document.hidden) showNow(); }, 1000);

  (async () => {
    try {
      showOverview(await ask("overview"));
      await askAll();
      // The shortest span that has all that is kept.
      const oldest = state.history.length ? now() - state.history[0].time : 0;
      byId("span").value = oldest <= 3600e3 ? "3600" : oldest <= 21600e3 ? "21600" : "86400";
      showPast();
      // "#still" shows one moment and opens no line.
      if (location.hash === "#still") return line("As of " + clock(now()) + ", not followed");
      live();
    } catch (error) {
      lost(error.message);
    }
    listen();
  })();
})();
