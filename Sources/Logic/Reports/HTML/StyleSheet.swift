// SPDX-License-Identifier: Apache-2.0

/// The report's style: system fonts, one column, pictures that fit a phone and a sheet of paper.
///
/// The text must contain no `<` and no `&`: it goes into the document as it is.
enum StyleSheet {
  /// The content of a map, on the page and on a card.
  static let map: StaticString = """
    .map path{fill:none}
    .map rect.water,.map path.water{fill:var(--water)}
    .map path.land{fill:var(--paper)}
    .map .ground path{stroke-linejoin:round;stroke-linecap:round}
    .ground .shore{stroke:var(--shore);stroke-width:.8}
    .ground .river{stroke:var(--shore);stroke-width:1.3}
    .ground .stream{stroke:var(--shore);stroke-width:.7}
    .ground .path{stroke:var(--road);stroke-width:.7;stroke-dasharray:2 2}
    .ground .road{stroke:var(--road);stroke-width:1.2}
    .ground .main{stroke:var(--road);stroke-width:2}
    .ground .rail{stroke:var(--muted);stroke-width:.7;stroke-dasharray:5 2;stroke-opacity:.6}
    .ground .highway{stroke:var(--highway);stroke-width:2.6}
    .ground circle{fill:var(--muted)}
    .map .ground text{fill:var(--muted);stroke:var(--paper);stroke-width:2.5;stroke-opacity:.85;\
    paint-order:stroke;stroke-linejoin:round}
    path.known{stroke:var(--ink);stroke-width:1.7;stroke-linejoin:round;stroke-linecap:round}
    path.veil{stroke:var(--veil);stroke-width:8;stroke-linejoin:round;stroke-linecap:round}
    path.blind{stroke:var(--blind);stroke-width:1.5;stroke-dasharray:3 3}
    .dot{fill:var(--significant);stroke:var(--paper);stroke-width:1}
    .start{fill:var(--paper);stroke:var(--ink);stroke-width:1.6}
    .end{fill:var(--ink)}
    .map path.off{fill:var(--significant);stroke:var(--significant);stroke-width:2}
    .map text.place{fill:var(--ink);stroke:var(--paper);stroke-width:3;paint-order:stroke;\
    stroke-linejoin:round}
    .scale{stroke:var(--muted);stroke-width:1.2}

    """

  /// The rest of a card.
  static let card: StaticString = """
    text{font-family:Helvetica,Arial,"Liberation Sans",sans-serif;fill:var(--ink)}
    .map text{font-size:15px}
    .map .ground text{font-size:13px}
    .map text.credit{font-size:11px;fill:var(--muted);stroke:var(--paper);stroke-width:2.5;paint-order:stroke}
    .map path.known{stroke-width:2.6}
    .map path.blind{stroke-width:2.2;stroke-dasharray:4 4}
    .map path.veil{stroke-width:11}
    .dot{stroke-width:.8}
    .paper{fill:var(--paper)}
    .frame{fill:none;stroke:var(--rule)}
    .kicker{fill:var(--continuous);font-weight:bold}
    .head,.figure{font-weight:bold}
    .head.open{font-weight:normal}
    .remark{fill:var(--muted)}
    .bar{fill:var(--muted)}
    .bar.standard{fill:var(--standard)}
    .bar.continuous{fill:var(--continuous)}
    .bar.significant{fill:var(--significant)}
    .range{fill:none;stroke:var(--ink);stroke-width:1.6}

    """

  static let text: StaticString = """
    *{box-sizing:border-box}
    html{background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",\
    Roboto,"Helvetica Neue",Arial,"Liberation Sans",sans-serif;-webkit-text-size-adjust:100%}
    body{margin:0;padding:0 16px}
    main{max-width:1120px;margin:0 auto;padding:28px 0 60px}
    h1,h2,h3,.standfirst{font-family:Charter,"Bitstream Charter","Iowan Old Style",Georgia,\
    "Liberation Serif",serif;text-wrap:balance}
    h1{font-size:clamp(26px,4.2vw,42px);line-height:1.12;font-weight:700;letter-spacing:-.01em;\
    margin:6px 0 14px;max-width:24em}
    h2{font-size:24px;line-height:1.2;margin:0 0 4px}
    h3{font-size:19px;line-height:1.25;margin:0 0 4px}
    .kicker{margin:0;font-size:13px;font-weight:600;color:var(--continuous);letter-spacing:.02em}
    .standfirst{font-size:19px;line-height:1.45;margin:0 0 12px;max-width:42em;text-wrap:pretty}
    .dateline,.note,.legend{font-size:14px;color:var(--muted);margin:0 0 14px;max-width:56em}
    .note{margin-bottom:12px}
    section{border-top:1px solid var(--rule);padding-top:18px;margin-top:34px}
    details.fold{border-top:1px solid var(--rule);margin:0}
    .dateline + details.fold,header + details.fold{margin-top:24px}
    summary{cursor:pointer;padding:13px 0;list-style:none}
    summary::-webkit-details-marker{display:none}
    summary h2,summary h3{display:inline;margin:0}
    summary::before{content:"+";display:inline-block;width:1.1em;color:var(--muted);font-size:20px}
    details[open]>summary::before{content:"–"}
    .gist{font-size:15px;color:var(--muted);margin-left:6px}
    .folded{padding:2px 0 26px}
    .folded section{border-top:0;padding-top:0;margin-top:26px}
    .first{display:grid;grid-template-columns:minmax(0,1.6fr) minmax(0,1fr);gap:8px 36px;\
    align-items:start;margin-bottom:14px}
    .first .pair:only-child{grid-column:1 / -1}
    .first .legend{margin:4px 0 0;font-size:13px}
    .first figcaption{margin:6px 0 0;font-size:14px}
    .first .bar{grid-template-columns:1fr auto;margin-bottom:14px}
    .first .bar .name{font-weight:600}
    .first .bar svg{grid-row:2;grid-column:1 / -1}
    .first .figure{font-size:17px}
    .question{color:var(--continuous)}
    h1.open{font-weight:400}
    .answer,.agreement{margin:0 0 8px;font-size:16px;line-height:1.4}
    .answer .question{font-weight:600}
    .pair .dateline{margin-top:14px;font-size:13px}
    a{color:inherit;text-underline-offset:3px}
    :focus-visible{outline:2px solid var(--standard);outline-offset:2px}
    bdi{overflow-wrap:anywhere}
    small{font-size:.87em;color:var(--muted);font-weight:400}
    svg{display:block;overflow:visible;fill:none}
    svg text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,\
    "Liberation Sans",sans-serif;fill:var(--muted)}

    .bar{display:grid;grid-template-columns:190px 1fr 190px;gap:0 14px;align-items:center}
    .bar .name{font-size:15px;line-height:1.2}
    .bar svg{width:100%}
    .bar .figure{font-size:15px;font-variant-numeric:tabular-nums;white-space:nowrap}
    .bar rect{fill:var(--muted)}
    .bar.standard rect{fill:var(--standard)}
    .bar.continuous rect{fill:var(--continuous)}
    .bar.significant rect{fill:var(--significant)}
    .bar .base{stroke:var(--ink);stroke-width:1.5}
    .bar .range{stroke:var(--ink);stroke-width:1.2}
    .stacks .bar{grid-template-columns:190px 1fr 76px}
    .stacks{margin-bottom:18px}
    .bar rect.fill{stroke:var(--paper);stroke-width:1}
    .bar rect.gnss,.chip.gnss{fill:var(--gnss);background:var(--gnss)}
    .bar rect.soc,.chip.soc{fill:var(--soc);background:var(--soc)}
    .bar rect.cell,.chip.cell{fill:var(--cell);background:var(--cell)}
    .bar rect.wifi,.chip.wifi{fill:var(--wifi);background:var(--wifi)}
    .bar rect.sensor,.chip.sensor{fill:var(--sensor);background:var(--sensor)}
    .bar rect.flash,.chip.flash{fill:var(--flash);background:var(--flash)}
    svg text.inside.gnss{fill:var(--in-gnss)}
    svg text.inside.soc{fill:var(--in-soc)}
    svg text.inside.cell{fill:var(--in-cell)}
    svg text.inside.wifi{fill:var(--in-wifi)}
    svg text.inside.sensor{fill:var(--in-sensor)}
    svg text.inside.flash{fill:var(--in-flash)}
    svg text.inside{font-weight:600}
    .chip{display:inline-block;width:12px;height:12px;margin-right:6px;vertical-align:-1px}
    .legend span{margin-right:18px;display:inline-block}
    .legend .key{display:inline-block;vertical-align:-1px}

    .maps{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,290px),1fr));gap:24px 28px;align-items:end}
    .maps.narrow{grid-template-columns:repeat(auto-fill,minmax(165px,1fr));gap:20px 18px}
    figure{margin:0;break-inside:avoid}
    figcaption{font-size:13px;line-height:1.35;color:var(--muted);margin-bottom:6px}
    figcaption b{font-size:15px;color:var(--ink)}
    .map{width:100%;height:auto;overflow:hidden;border:1px solid var(--rule)}
    .chart{display:grid;grid-template-columns:64px minmax(0,1fr) 162px;margin:8px 0 46px}
    .legend.lines{display:none}
    .chart.close{margin-bottom:10px}
    .chart.bare{grid-template-columns:64px minmax(0,1fr);margin:0}
    .chart svg{width:100%}
    .plot{overflow:visible}
    .inner{overflow:hidden}
    .grid{stroke:var(--rule)}
    .gap{fill:var(--gap)}
    path.cut{stroke:var(--muted);stroke-width:1.4}
    svg text.cut{font-size:11px}
    rect.veil{fill:var(--veil)}
    line.limit{stroke:var(--blind);stroke-dasharray:4 3}
    text.limit{fill:var(--blind)}
    .line{vector-effect:non-scaling-stroke;stroke-width:2.2;stroke-linejoin:round}
    .trail{stroke:var(--ink);stroke-width:1.3}
    .line.standard,.thread.standard{stroke:var(--standard)}
    .line.continuous,.thread.continuous{stroke:var(--continuous)}
    .line.significant,.thread.significant{stroke:var(--significant)}
    .line.significant{stroke-width:3}
    .line.second{stroke-dasharray:6 3}
    .line.third{stroke-dasharray:2 3}
    svg text.end{font-weight:600}
    text.end.standard{fill:var(--standard)}
    text.end.continuous{fill:var(--continuous)}
    text.end.significant{fill:var(--significant)}
    .end .value{font-weight:400}
    .front{stroke:var(--significant);stroke-width:2.2;stroke-linejoin:round;vector-effect:non-scaling-stroke}
    circle.place{fill:var(--significant);stroke:var(--paper);stroke-width:1.5}
    circle.beaten{fill:none;stroke:var(--muted);stroke-width:1.5}
    circle.chosen{fill:var(--continuous);stroke:var(--paper);stroke-width:1.5}
    .corner{stroke:var(--ink);stroke-width:2}
    svg text.letter{fill:var(--ink);font-weight:600}
    .strip{margin-bottom:12px;break-inside:avoid}
    .strip .name{margin:0 0 2px 64px;font-size:15px;line-height:1.3}
    .strip.last{margin-bottom:44px}
    .life.active{fill:var(--significant);stroke:var(--significant);stroke-width:1}
    .life.inactive{fill:var(--muted)}
    .life.background{fill:var(--standard);stroke:var(--standard);stroke-width:1}
    .life.suspended{fill:var(--muted)}
    .line.delivered{stroke:var(--continuous);stroke-width:1.4}
    .wake{fill:var(--ink)}
    path.ended{stroke:var(--blind);stroke-width:1.8}
    path.act{stroke:var(--ink);stroke-width:1.4}
    svg text.act{fill:var(--ink)}
    ol.acts{margin:2px 0 14px 64px;padding-left:1.6em;font-size:13px;line-height:1.4;color:var(--muted);\
    columns:3 16em;column-gap:24px}
    ul.plain{margin:0 0 16px;padding-left:1.2em;font-size:15px}

    .remark{font-size:13px;line-height:1.35;margin:5px 0 0;color:var(--muted)}
    .table{overflow-x:auto;margin:18px 0;\
    background:linear-gradient(to left,var(--paper) 40%,transparent) right / 48px 100% no-repeat local,\
    linear-gradient(to left,rgb(128 128 128 / .5),transparent) right / 12px 100% no-repeat scroll}
    .cue{display:none}
    table{border-collapse:collapse;font-size:14px;line-height:1.35;font-variant-numeric:tabular-nums;\
    width:100%}
    caption{text-align:left;font-weight:600;padding:0 0 6px}
    caption span{display:block;position:sticky;left:0;max-width:calc(100vw - 32px)}
    th,td{text-align:right;padding:5px 0 5px 14px;vertical-align:top;border-bottom:1px solid var(--rule)}
    th:first-child,td.word,th.word{text-align:left}
    th:first-child{padding-left:0;position:sticky;left:0;background:var(--paper)}
    thead th{font-weight:400;color:var(--muted);font-size:13px;vertical-align:bottom;\
    border-bottom:1px solid var(--ink)}
    tbody th{font-weight:400}
    td b{font-weight:600}
    td,time{white-space:nowrap}
    td.word,td.source{white-space:normal}
    code{font:13px/1.4 ui-monospace,Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere}
    .calls{margin:0}
    .calls dt{font-weight:600;margin:12px 0 2px}
    .calls dd{margin:0 0 4px}
    .aside,.aside th{color:var(--muted)}
    td.source{max-width:24em}
    svg.share{display:block;width:88px;height:8px;margin:3px 0 3px auto;background:var(--gap)}
    svg.share rect{fill:var(--ink)}
    .columns{columns:2;column-gap:36px;font-size:14px;line-height:1.5}
    .columns p{margin:0 0 10px;break-inside:avoid}

    @media (max-width:820px){
    .first{grid-template-columns:minmax(0,1fr)}
    }
    @media (max-width:640px){
    main{padding-top:18px}
    h2{font-size:22px}
    .standfirst{font-size:17px}
    .bar,.stacks .bar{grid-template-columns:1fr auto;margin-bottom:8px}
    .bar svg{grid-row:2;grid-column:1 / -1}
    .first .bar .figure{grid-row:3;grid-column:1 / -1}
    .large .map text{font-size:22px}
    .large .map .ground text{font-size:18px}
    .large .map path.known{stroke-width:3}
    .large .map path.blind{stroke-width:2.4;stroke-dasharray:5 5}
    .large .map path.veil{stroke-width:13}
    .large .map .dot{r:5.5px}
    .cue{display:inline;white-space:nowrap}
    .chart{grid-template-columns:50px minmax(0,1fr)}
    .ends{display:none}
    .legend.lines{display:block;margin:-6px 0 14px 50px}
    .chart.bare{grid-template-columns:60px minmax(0,1fr)}
    .strip .name{margin:0 0 8px}
    .strip .name small{display:block}
    ol.acts{margin-left:0}
    .wide{display:none}
    .columns{columns:1}
    th,td,time{white-space:nowrap}
    td.word,td.source{white-space:normal;min-width:8em}
    tr.era th{white-space:normal;min-width:6.5em}
    tr.era td.word{min-width:4em}
    }
    @media print{
    @page{margin:16mm 14mm}
    html{font-size:13px;background:none}
    body{padding:0}
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    main{max-width:none;padding:0}
    h1{font-size:30px}
    h2,h3,caption,.note,.legend,.strip .name,figcaption{break-after:avoid}
    tr,.bar,.chart,.note,.legend,.dateline,.standfirst{break-inside:avoid}
    details::details-content{content-visibility:visible;display:block;block-size:auto}
    summary{break-after:avoid;padding:10px 0 6px}
    summary::before,details[open]>summary::before{content:none}
    .cue{display:none}
    th:first-child{position:static;background:none}
    .table{overflow:visible;background:none}
    table{font-size:10.5px}
    thead th{font-size:10px}
    th,td{padding-left:8px}
    .maps{grid-template-columns:repeat(3,minmax(0,1fr));gap:16px}
    .maps.narrow{grid-template-columns:repeat(5,minmax(0,1fr));gap:12px}
    section{margin-top:22px;padding-top:12px}
    }

    """
}
