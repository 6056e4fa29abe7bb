//! Who may do what, with the configuration of `docs/farm.md`.

use std::time::Duration;

use async_nats::jetstream;
use async_nats::jetstream::consumer::pull;
use async_nats::{Client, ConnectOptions};
use farm::status::Overseer;
use farm::{Role, names};
use search::Stop;

use crate::nats::Nats;
use crate::sums::{Honesty, Sums, TestWorker, address, expected, farm, run};

/// The configuration of the documentation, without its address and its certificates.
fn documented() -> String {
    let page = include_str!("../../../../docs/farm.md");
    let start = page.find("```conf\n").expect("a configuration") + "```conf\n".len();
    let text = &page[start..start + page[start..].find("```").expect("its end")];
    let is_ours = |line: &&str| !line.starts_with("listen") && !line.starts_with("jetstream");
    text.lines().filter(is_ours).collect::<Vec<_>>().join("\n")
}

async fn connect(nats: &Nats, user: &str) -> Client {
    let options = ConnectOptions::new().custom_inbox_prefix(format!("_INBOX_{user}"));
    let options = options.user_and_password(user.to_owned(), format!("{user}-password"));
    options.request_timeout(Some(Duration::from_millis(700))).connect(nats.url()).await.expect("a connection")
}

/// Whether a request of this user is answered without an error.
async fn may_request(client: &Client, subject: &str, payload: &'static str) -> bool {
    match client.request(subject.to_owned(), payload.into()).await {
        Ok(answer) => !String::from_utf8_lossy(&answer.payload).contains("\"error\""),
        Err(_) => false,
    }
}

#[test]
fn everybody_may_do_what_the_documentation_says_and_nothing_else() {
    let Some(nats) = Nats::start_with("permissions", &documented()) else { return };
    let url = |user: &str| nats.url_of(user, &format!("{user}-password"));
    let farm = farm(&url("submitter"), 10);
    let worker = TestWorker::start(&nats, &url("worker"), "one", Honesty::Honest);
    let (results, ended) = run(&farm, Sums::default(), 0..100, &Stop::new());
    assert!(ended.is_ok(), "{ended:?}");
    assert_eq!(results, expected(0..100));
    let observer = Overseer::connect(&address(&url("observer")), Role::Observer).expect("an observer");
    assert_eq!(observer.status().expect("a state").workers.len(), 1);
    assert!(observer.aside().expect("a list").is_empty());
    assert_eq!(worker.end(), Ok(()));

    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let submitter = jetstream::new(connect(&nats, "submitter").await);
        let messages = async |stream: &str| {
            submitter.get_stream(stream).await.expect("a stream").get_info().await.expect("a state").state.messages
        };
        for user in ["worker", "observer"] {
            let client = connect(&nats, user).await;
            let (jobs, results) = (messages(names::JOBS_STREAM).await, messages(names::RESULTS_STREAM).await);
            // Nobody but a submitter submits jobs, and only workers send results.
            client.publish("emilia.jobs.x.y", "{}".into()).await.expect("sent");
            client.publish(names::CONTROL, "stop".into()).await.expect("sent");
            client.publish("$KV.EMILIA_campaigns.x", "{}".into()).await.expect("sent");
            client.publish("$KV.EMILIA_aside.x", "{}".into()).await.expect("sent");
            client.publish("$O.EMILIA_files.C.x", "{}".into()).await.expect("sent");
            if user == "observer" {
                client.publish("emilia.results.x.y", "{}".into()).await.expect("sent");
                client.publish("$KV.EMILIA_workers.x", "{}".into()).await.expect("sent");
            }
            client.flush().await.expect("sent");
            tokio::time::sleep(Duration::from_millis(200)).await;
            assert_eq!(messages(names::JOBS_STREAM).await, jobs, "{user}");
            assert_eq!(messages(names::RESULTS_STREAM).await, results, "{user}");
            for bucket in ["KV_EMILIA_campaigns", "KV_EMILIA_aside"] {
                let stream = submitter.get_stream(bucket).await.expect("a stream");
                let subject = format!("{}.x", bucket.replacen("KV_", "$KV.", 1));
                assert!(stream.get_last_raw_message_by_subject(&subject).await.is_err(), "{user} wrote {subject}");
            }
            for (subject, payload) in [
                ("$JS.API.STREAM.PURGE.EMILIA_JOBS", ""),
                ("$JS.API.STREAM.DELETE.EMILIA_RESULTS", ""),
                ("$JS.API.STREAM.MSG.GET.EMILIA_RESULTS", r#"{"seq":1}"#),
                ("$JS.API.STREAM.CREATE.OTHER", r#"{"name":"OTHER","subjects":["other"]}"#),
                ("$JS.API.CONSUMER.DELETE.EMILIA_JOBS.workers-1-0--test", ""),
            ] {
                assert!(!may_request(&client, subject, payload).await, "{user} may use {subject}");
            }
            let context = jetstream::new(client);
            let stream = context.get_stream_no_info(names::RESULTS_STREAM).await.expect("a handle");
            let consumer = stream.create_consumer(pull::Config::default()).await;
            assert!(consumer.is_err(), "{user} may read results");
        }
        // Somebody without a password is nobody.
        let stranger = ConnectOptions::new().connect(nats.url()).await;
        assert!(stranger.is_err());
    });
}
