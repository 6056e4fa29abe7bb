//! Things that a page must not do: take names for markup, or send requests to other hosts.

use serde_json::json;

use crate::page::Page;

/// A name that is a script where names are taken for markup.
const NAME: &str = "<img src=x onerror='window.hacked=1'><b>Ann</b>";

pub fn markup(page: &Page) {
    page.visit("");
    let ggf = |moves: &str| {
        format!(
            "(;GM[Othello]PC[{NAME}]PB[{NAME}]PW[{NAME}]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- \
             -------- -------- *]B[f5]C[{NAME}]{moves};)"
        )
    };
    let sgf = format!("(;FF[4]GM[2]SZ[8]PB[{NAME}]PW[{NAME}]EV[{NAME}]C[{NAME}];B[f5]C[{NAME}];W[d6])");
    let open = |name: &str, text: &str| {
        page.value(&format!(
            "(() => {{ const data = new DataTransfer(); data.items.add(new File([{}], {})); \
             document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }})); }})()",
            json!(text),
            json!(name)
        ));
    };
    let is_harmless = || {
        assert_eq!(
            page.value("window.hacked === undefined && document.querySelector('[src=x], [onerror]') === null"),
            true
        );
    };
    // In the list of games, at the seats, and in the name of the file.
    open(&format!("{NAME}.ggf"), &format!("{}\n{}\n", ggf("W[d6]"), ggf("W[f6]")));
    page.wait("document.querySelector('#open-dialog[open] [data-game=\"2\"]') !== null");
    assert!(page.text("#games").contains(NAME), "{}", page.text("#games"));
    is_harmless();
    page.click("[data-game=\"2\"]");
    page.wait_for_link("f5f6");
    page.wait("document.querySelector('#seat-black').textContent.includes('<b>Ann</b>')");
    is_harmless();
    open("game.sgf", &sgf);
    page.wait_for_link("f5d6");
    page.wait("document.querySelector('#seat-white').textContent.includes('<b>Ann</b>')");
    is_harmless();
    // In an address and in what the host answers to it.
    page.visit("%3Cimg%20src=x%20onerror=window.hacked=1%3E");
    page.wait("document.querySelector('#message').textContent.includes('<')");
    is_harmless();
    // The policy forbids scripts that are not files of the page.
    page.value(
        "(() => { const script = document.createElement('script'); script.textContent = 'window.hacked = 1'; \
         document.body.append(script); })()",
    );
    assert_eq!(page.value("window.hacked === undefined"), true);
}

/// Addresses that need no request; the last ones are those of the page that the browser itself shows first.
const LOCAL: [&str; 5] = ["data:", "blob:", "about:", "chrome:", "chrome-untrusted:"];

pub fn requests(page: &Page) {
    page.requests();
    page.visit("");
    let square = page.turn().expect("a move");
    page.play(&square);
    page.turn();
    page.click("#toggle-hints");
    page.wait("app.shown.view.hints.length > 0");
    page.click("#settings");
    page.choose("#language", "ja");
    let own = page.place.address().trim_start_matches("http://").to_owned();
    let addresses = page.requests();
    assert!(addresses.iter().any(|address| address.ends_with("main.js")), "{addresses:?}");
    for address in addresses {
        let is_own = ["http://", "ws://"]
            .iter()
            .any(|scheme| address.strip_prefix(scheme).is_some_and(|rest| rest.starts_with(&own)));
        assert!(is_own || LOCAL.iter().any(|scheme| address.starts_with(scheme)), "{address}");
    }
    assert_eq!(page.value("document.cookie"), "");
}
