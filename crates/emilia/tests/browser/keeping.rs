//! Games that stay: in an address, over a reload, without the server.

use crate::page::Page;
use crate::place::Place;

pub fn share(page: &Page) {
    page.visit("");
    page.new_game("6x6", "both");
    for _ in 0..3 {
        let square = page.turn().expect("a move");
        page.play(&square);
    }
    page.click("#back");
    page.wait("app.shown.view.move_count === 2");
    let other = page.shown("view.legal_moves[1].square");
    page.play(other.as_str().expect("a square"));
    let link = page.link();
    assert!(link.contains('('), "{link}");
    page.click("#save");
    let address = page.wait("document.querySelector('#share-link').value");
    let address = address.as_str().expect("an address");
    assert!(address.starts_with(page.place.address()), "{address}");
    page.new_tab();
    page.open(address);
    page.is_ready();
    page.wait_for_link(&link);
    assert_eq!(page.drawn(), page.shown("view.board.rows"));
}

pub fn reload(page: &Page) {
    page.visit("");
    let square = page.turn().expect("a move");
    page.play(&square);
    page.turn();
    let (link, seats) = (page.link(), page.shown("state.seats"));
    assert_eq!(page.shown("view.move_count"), 2);
    page.reload();
    page.is_ready();
    page.wait_for_link(&link);
    assert_eq!(page.shown("state.seats"), seats);
    let square = page.turn().expect("a move");
    page.play(&square);
    page.wait("app.shown.view.move_count >= 4");
}

pub fn killed_server(mut page: Page) {
    page.visit("");
    let square = page.turn().expect("a move");
    page.play(&square);
    page.turn();
    let link = page.link();
    let Place::Served(server) = &mut page.place else { panic!("there is no server") };
    server.kill();
    page.wait("document.querySelector('#connection').dataset.status !== 'connected'");
    page.wait("!document.querySelector('#connection').hidden");
    let Place::Served(server) = &mut page.place else { panic!("there is no server") };
    server.start_again();
    page.wait("document.querySelector('#connection').dataset.status === 'connected'");
    page.wait_for_link(&link);
    let square = page.turn().expect("a move");
    page.play(&square);
    page.wait("app.shown.view.move_count >= 4");
}

pub fn offline(page: &Page) {
    page.visit("");
    // The first load is complete when the service worker has everything.
    page.wait("navigator.serviceWorker.ready.then((ready) => ready.active?.state === 'activated')");
    let Place::Static(folder) = &page.place else { panic!("there is no folder") };
    folder.stop();
    page.reload();
    page.is_ready();
    let square = page.turn().expect("a move");
    page.play(&square);
    page.wait("app.shown.view.move_count >= 2");
}
