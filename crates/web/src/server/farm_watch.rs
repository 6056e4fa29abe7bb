//! The state of the farm for the page: one reading serves all clients, and only while a client requests one.
//!
//! A reading may take long, so it runs in a separate thread. A client requests the next reading, and requests again when it
//! has received that one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::thread;

use report::words::printable;
use serde_json::Value;
use tokio::sync::{Notify, oneshot, watch};
use tokio::time::{sleep, timeout};

use super::limits::{FARM_LIMIT, FARM_PAUSE, MAX_FARM_ENTRIES, MAX_FARM_TEXT};
use crate::message::{FarmPage, Response};
use crate::turn::whole_sentence;

/// Reads the state of the farm, or returns why it is not known. It is only called in one thread, in which it is also dropped,
/// and may wait there.
pub type FarmView = Box<dyn FnMut() -> Result<FarmPage, String> + Send>;

/// Reads the state of the farm, and returns the message for the clients.
fn read_state(view: &mut FarmView) -> String {
    let state = catch_unwind(AssertUnwindSafe(view));
    message(state.unwrap_or_else(|_| Err("reading the state of the farm failed".to_owned())))
}

#[derive(Clone, Debug)]
pub(crate) struct FarmWatch {
    /// The last message; those who wait for the next one are subscribed.
    state: Arc<watch::Sender<String>>,
    requested: Arc<Notify>,
}

#[derive(Debug)]
pub(crate) struct FarmMessages(watch::Receiver<String>);

impl FarmMessages {
    /// Waits for the message of the next reading; none if there are no more readings.
    pub(crate) async fn next(&mut self) -> Option<String> {
        self.0.changed().await.ok()?;
        Some(self.0.borrow_and_update().clone())
    }
}

impl FarmWatch {
    pub(crate) fn start(mut view: FarmView, mut ending: watch::Receiver<bool>) -> Self {
        let (orders, received) = mpsc::channel::<oneshot::Sender<String>>();
        // Without a thread, clients receive an error.
        let _ = thread::Builder::new().name("farm".to_owned()).spawn(move || {
            for order in received {
                let _ = order.send(read_state(&mut view));
            }
        });
        let watch = Self { state: Arc::new(watch::Sender::default()), requested: Arc::default() };
        let server = watch.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = server.serve_requests(orders) => {}
                _ = ending.wait_for(|ends| *ends) => {}
            }
        });
        watch
    }

    pub(crate) fn request(&self) -> FarmMessages {
        let messages = FarmMessages(self.state.subscribe());
        self.requested.notify_one();
        messages
    }

    async fn serve_requests(&self, orders: mpsc::Sender<oneshot::Sender<String>>) {
        loop {
            self.requested.notified().await;
            // The client may have left since, or may have received the reading before.
            if self.state.receiver_count() == 0 {
                continue;
            }
            let (order, mut answer) = oneshot::channel();
            let _ = orders.send(order);
            let state = loop {
                match timeout(FARM_LIMIT, &mut answer).await {
                    Ok(Ok(state)) => break state,
                    Ok(Err(_)) => break message(Err("the state of the farm cannot be read".to_owned())),
                    // The reading goes on; another one would not end sooner.
                    Err(_) => self.state.send_replace(message(Err("the farm does not answer".to_owned()))),
                };
            };
            self.state.send_replace(state);
            sleep(FARM_PAUSE).await;
        }
    }
}

/// The result of a reading as a message for clients, shortened to what a page can show, and without control characters.
fn message(state: Result<FarmPage, String>) -> String {
    let response = match state {
        Ok(mut page) => {
            let FarmPage { status, failed, left_out } = &mut page;
            shorten(status, left_out);
            shorten_list(failed, left_out);
            Response::Farm { page: Some(Box::new(page)), failure: None }
        }
        Err(reason) => Response::Farm { page: None, failure: Some(whole_sentence(&shown(&reason))) },
    };
    // All keys are texts.
    serde_json::to_string(&response).unwrap_or_default()
}

fn shorten(value: &mut Value, left_out: &mut usize) {
    match value {
        Value::String(text) => *text = shown(text),
        Value::Array(list) => shorten_list(list, left_out),
        Value::Object(entries) => entries.values_mut().for_each(|value| shorten(value, left_out)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn shorten_list(list: &mut Vec<Value>, left_out: &mut usize) {
    *left_out += list.len().saturating_sub(MAX_FARM_ENTRIES);
    list.truncate(MAX_FARM_ENTRIES);
    list.iter_mut().for_each(|value| shorten(value, left_out));
}

fn shown(text: &str) -> String {
    let text = printable(text);
    match text.char_indices().nth(MAX_FARM_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::time::Duration;

    use serde_json::json;
    use tokio::time::Instant;

    use super::*;

    /// A farm with a number of workers, and how often it was looked at.
    fn counted(workers: usize) -> (FarmWatch, Arc<AtomicUsize>, watch::Sender<bool>) {
        let count = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&count);
        let view: FarmView = Box::new(move || {
            counter.fetch_add(1, Relaxed);
            let worker = json!({ "worker": "desk-1", "host": "desk" });
            Ok(FarmPage { status: json!({ "workers": vec![worker; workers] }), failed: Vec::new(), left_out: 0 })
        });
        let (ending, receiver) = watch::channel(false);
        (FarmWatch::start(view, receiver), count, ending)
    }

    fn parsed(message: &str) -> Value {
        serde_json::from_str(message).unwrap()
    }

    #[tokio::test]
    async fn one_reading_serves_all_clients_and_the_next_one_follows_after_a_pause() {
        let (watch, count, _ending) = counted(1);
        let start = Instant::now();
        for round in 1..=2 {
            let mut waiting: Vec<_> = (0..100).map(|_| watch.request()).collect();
            for messages in &mut waiting {
                let received = parsed(&messages.next().await.unwrap());
                assert_eq!(received["page"]["status"]["workers"][0]["host"], "desk");
            }
            assert_eq!(count.load(Relaxed), round);
        }
        assert!(start.elapsed() >= FARM_PAUSE, "{:?}", start.elapsed());
    }

    #[tokio::test]
    async fn the_state_is_read_only_on_request() {
        let (watch, count, _ending) = counted(1);
        sleep(Duration::from_millis(100)).await;
        assert_eq!(count.load(Relaxed), 0);
        watch.request().next().await.unwrap();
        // This client requests during the pause and disconnects before its end.
        drop(watch.request());
        sleep(FARM_PAUSE + Duration::from_millis(200)).await;
        assert_eq!(count.load(Relaxed), 1);
    }

    #[tokio::test]
    async fn waiting_clients_receive_the_end_of_the_server() {
        let (watch, count, ending) = counted(1);
        watch.request().next().await.unwrap();
        ending.send(true).unwrap();
        let mut messages = watch.request();
        drop(watch);
        assert_eq!(messages.next().await, None);
        assert_eq!(count.load(Relaxed), 1);
    }

    #[tokio::test]
    async fn a_failure_is_a_sentence_and_the_next_reading_may_succeed() {
        let mut readings = 0;
        let view: FarmView = Box::new(move || {
            readings += 1;
            match readings {
                1 => Err("cannot connect to nats://farm: \u{1b}[2Jrefused".to_owned()),
                2 => panic!("the test of a panic"),
                _ => Ok(FarmPage { status: json!({}), failed: Vec::new(), left_out: 0 }),
            }
        });
        let (_ending, receiver) = watch::channel(false);
        let watch = FarmWatch::start(view, receiver);
        for failure in ["Cannot connect to nats://farm:  [2Jrefused.", "Reading the state of the farm failed."] {
            let received = parsed(&watch.request().next().await.unwrap());
            assert_eq!(received, json!({ "type": "farm", "page": null, "failure": failure }));
        }
        let received = parsed(&watch.request().next().await.unwrap());
        assert_eq!((&received["page"]["status"], &received["failure"]), (&json!({}), &Value::Null));
    }

    #[test]
    fn texts_and_lists_have_limits_and_no_control_characters() {
        let worker = json!({ "worker": "a\u{202e}b\u{0}\n", "host": "é".repeat(MAX_FARM_TEXT + 1), "threads": 2 });
        let failed = json!({ "what": "worker", "worker": "<b>", "reason": "x".repeat(MAX_FARM_TEXT) });
        let page = FarmPage {
            status: json!({ "workers": vec![worker; MAX_FARM_ENTRIES + 7], "aside": 3 }),
            failed: vec![failed.clone(); MAX_FARM_ENTRIES + 1],
            left_out: 0,
        };
        let received = parsed(&message(Ok(page)));
        let page = &received["page"];
        assert_eq!(page["left_out"], 8);
        for (list, expected) in [
            (
                &page["status"]["workers"],
                json!({ "worker": "ab  ", "host": format!("{}…", "é".repeat(MAX_FARM_TEXT)), "threads": 2 }),
            ),
            (&page["failed"], failed),
        ] {
            let list = list.as_array().unwrap();
            assert_eq!((list.len(), list.last()), (MAX_FARM_ENTRIES, Some(&expected)));
        }
    }
}
