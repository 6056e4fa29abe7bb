//! Permissions of each role, with the configuration of `docs/farm.md`.

use std::time::{Duration, Instant};

use crate::{Role, names};
use async_nats::jetstream;
use async_nats::jetstream::consumer::pull;
use async_nats::{Client, ConnectOptions, HeaderMap, Subscriber};
use control::Stop;
use futures_util::StreamExt;
use jobs::ContentId;

use super::nats::Nats;
use super::sums::{Honesty, Sums, TestWorker, VERSION, assert_done, campaign, done, expected, farm, overseer, run};

/// A part of the documentation between this line and the end of its block.
fn block(beginning: &str) -> &'static str {
    let page = include_str!("../../../../docs/farm.md");
    let start = page.find(beginning).expect("a block") + beginning.find('\n').expect("a line") + 1;
    &page[start..start + page[start..].find("```").expect("its end")]
}

/// The configuration of the documentation, without its address and its certificates.
fn documented() -> String {
    let is_ours = |line: &&str| !line.starts_with("listen") && !line.starts_with("jetstream");
    block("```conf\n").lines().filter(is_ours).collect::<Vec<_>>().join("\n")
}

/// The same with a worker of each of these names that is not trusted, and with a user of the account of the farm who sees
/// everything.
fn documented_with_strangers(names: &[&str]) -> String {
    let stranger = block("```text\n  STRANGER_NAME");
    let strangers: String = names.iter().map(|name| stranger.replace("NAME", name)).collect();
    let text = documented().replacen("users: [", "users: [ { user: witness, password: witness-password }", 1);
    let end = text.rfind('}').expect("the end of the accounts");
    format!("{}{strangers}}}\n", &text[..end])
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
fn every_role_may_do_what_the_documentation_states_and_nothing_else() {
    let Some(nats) = Nats::start_with("permissions", &documented()) else { return };
    let url = |user: &str| nats.url_of(user, &format!("{user}-password"));
    let farm = farm(&url("submitter"), 10);
    let worker = TestWorker::start(&nats, &url("worker"), "one", Honesty::Honest);
    assert_done(&farm, Sums::default(), 0..100);
    let observer = overseer(&url("observer"), Role::Observer);
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
            // Only submitters submit jobs, and only workers send results.
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
                ("$JS.API.CONSUMER.CREATE.EMILIA_JOBS", r#"{"stream_name":"EMILIA_JOBS","config":{}}"#),
                ("$JS.API.STREAM.PURGE.EMILIA_JOBS", ""),
                ("$JS.API.STREAM.DELETE.EMILIA_RESULTS", ""),
                ("$JS.API.STREAM.MSG.GET.EMILIA_RESULTS", r#"{"seq":1}"#),
                ("$JS.API.STREAM.CREATE.OTHER", r#"{"name":"OTHER","subjects":["other"]}"#),
                ("$JS.API.CONSUMER.DELETE.EMILIA_JOBS.workers-1-0--test", ""),
            ] {
                assert!(!may_request(&client, subject, payload).await, "{user} may use {subject}");
            }
            for context in [jetstream::new(client.clone()), jetstream::with_prefix(client, names::IMPORTED_API)] {
                let stream = context.get_stream_no_info(names::RESULTS_STREAM).await.expect("a handle");
                let consumer = stream.create_consumer(pull::Config::default()).await;
                assert!(consumer.is_err(), "{user} may read results");
            }
        }
        // A client without a password is refused.
        let stranger = ConnectOptions::new().connect(nats.url()).await;
        assert!(stranger.is_err());
    });
}

/// Messages of others that a user of the account of the farm receives, without the requests for reading and without the
/// advisories of the server about them.
async fn seen(witness: &mut Subscriber) -> Vec<String> {
    let mut subjects = Vec::new();
    while let Ok(Some(message)) = tokio::time::timeout(Duration::from_millis(700), witness.next()).await {
        let expected = ["$JS.API.STREAM.INFO.", "$JS.API.DIRECT.GET.", "$JS.EVENT.ADVISORY.", "_R_"];
        if !expected.iter().any(|prefix| message.subject.starts_with(prefix)) {
            subjects.push(message.subject.to_string());
        }
    }
    subjects
}

/// Makes the server send stored messages to other subjects: by a consumer that pushes it there, and as the answer to a request.
async fn redirect(client: &Client, target: &str) {
    for prefix in ["$JS.API", names::IMPORTED_API] {
        for bucket in [names::WORKERS, names::CAMPAIGNS, names::ASIDE] {
            let stream = format!("KV_{bucket}");
            for (create, durable) in [("CREATE", ""), ("DURABLE.CREATE", ".push"), ("CREATE", ".push")] {
                let name = if durable.is_empty() { "" } else { r#""name":"push","durable_name":"push","# };
                let config = format!(
                    r#"{{"stream_name":"{stream}","config":{{{name}"deliver_subject":"{target}","deliver_policy":"all",
                    "ack_policy":"none","replay_policy":"instant"}}}}"#
                );
                let subject = format!("{prefix}.CONSUMER.{create}.{stream}{durable}");
                client.publish_with_reply(subject, client.new_inbox(), config.into()).await.expect("sent");
            }
            for key in ["x", "y"] {
                let get = format!("{prefix}.DIRECT.GET.{stream}.$KV.{bucket}.{key}");
                client.publish_with_reply(get, target.to_owned(), "".into()).await.expect("sent");
            }
            for subject in [format!("{prefix}.STREAM.INFO.{stream}"), format!("{prefix}.DIRECT.GET.{stream}")] {
                let next = format!(r#"{{"seq":1,"next_by_subj":"$KV.{bucket}.>"}}"#);
                client.publish_with_reply(subject, target.to_owned(), next.into()).await.expect("sent");
            }
        }
        let info = format!("{prefix}.STREAM.INFO.{}", names::JOBS_STREAM);
        client.publish_with_reply(info, target.to_owned(), "".into()).await.expect("sent");
        let next = format!("{prefix}.CONSUMER.MSG.NEXT.{}.{}", names::JOBS_STREAM, names::consumer(VERSION));
        client.publish_with_reply(next, target.to_owned(), "1".into()).await.expect("sent");
    }
    client.publish(target.to_owned(), "{}".into()).await.expect("sent");
    client.flush().await.expect("sent");
}

#[test]
fn observers_and_strangers_have_nothing_published() {
    let Some(nats) = Nats::start_with("redirect", &documented_with_strangers(&["mallory"])) else { return };
    let of = |user: &str| nats.url_of(user, &format!("{user}-password"));
    let _farm = farm(&of("submitter"), 10);
    let task = ContentId::of(b"task");
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let witness = connect(&nats, "witness").await;
        // Something that would do harm elsewhere: the name of a job, an entry, a result.
        for (subject, text) in [
            ("$KV.EMILIA_campaigns.x", task.to_string()),
            ("$KV.EMILIA_workers.x", task.to_string()),
            ("$KV.EMILIA_aside.x", r#"{"what":"worker","worker":"one","reason":"none"}"#.to_owned()),
        ] {
            witness.publish(subject, text.into()).await.expect("sent");
        }
        witness.flush().await.expect("sent");
        let mut all = witness.subscribe(">").await.expect("a subscription");
        witness.flush().await.expect("sent");
        let targets = [
            names::CONTROL.to_owned(),
            names::job_subject(VERSION, &task),
            names::result_subject(&task, "one"),
            "$KV.EMILIA_aside.worker.one".to_owned(),
            format!("$KV.EMILIA_campaigns.{task}"),
            "$O.EMILIA_files.C.x".to_owned(),
        ];
        for user in ["observer", "mallory"] {
            let client = connect(&nats, user).await;
            for target in &targets {
                redirect(&client, target).await;
            }
            let seen = seen(&mut all).await;
            // A stranger may take chunks.
            let is_next = |subject: &String| user == "mallory" && subject.starts_with("$JS.API.CONSUMER.MSG.NEXT.");
            assert!(seen.iter().all(is_next), "{user} has published {seen:?}");
        }
        // The attack is a real one: a user of the same account can do that.
        redirect(&witness, names::CONTROL).await;
        assert!(seen(&mut all).await.iter().filter(|subject| *subject == names::CONTROL).count() > 3);
    });
    // An observer can read the state.
    let observer = overseer(&of("observer"), Role::Observer);
    assert_eq!(observer.status().expect("a state").queued_chunks, 0);
}

/// The message ids that results of chunks of five items had.
fn predicted_ids(task: &ContentId, run: &str) -> impl Iterator<Item = String> {
    let (short, run) = (task.short().to_owned(), run.to_owned());
    let chunks = (0..300).step_by(5).flat_map(|first| (1..20).map(move |attempt| (first, attempt)));
    chunks.map(move |(first, attempt)| format!("{short}.{run}.{first}.{attempt}.{first}"))
}

#[test]
fn a_worker_that_forges_message_ids_annuls_nothing() {
    let Some(nats) = Nats::start_with("ids", &documented_with_strangers(&["mallory", "honest"])) else { return };
    let of = |user: &str| nats.url_of(user, &format!("{user}-password"));
    let farm = farm(&of("submitter"), 5);
    let observer = overseer(&of("observer"), Role::Observer);
    let sums = Sums { salt: 4711, ..Sums::default() };
    let stop = Stop::new();
    std::thread::scope(|scope| {
        let job = scope.spawn(|| run(&farm, sums, 0..300, &stop));
        let start = Instant::now();
        let campaign = campaign(&observer);
        let task: ContentId = campaign.task.parse().expect("a name");
        let runtime = tokio::runtime::Runtime::new().expect("threads");
        runtime.block_on(async {
            let mallory = jetstream::new(connect(&nats, "mallory").await);
            let mut answers = Vec::new();
            for id in predicted_ids(&task, &campaign.state.run) {
                let mut headers = HeaderMap::new();
                headers.insert("Nats-Msg-Id", id);
                let subject = names::result_subject(&task, "mallory");
                answers.push(mallory.publish_with_headers(subject, headers, "{}".into()).await.expect("sent"));
            }
            for answer in answers {
                answer.await.expect("it may send results under its own name");
            }
            // Not under that of another one.
            let forged = mallory.publish(names::result_subject(&task, "honest"), "{}".into()).await.expect("sent");
            assert!(forged.await.is_err());
        });
        let honest = TestWorker::start(&nats, &of("honest"), "honest", Honesty::Honest);
        while !job.is_finished() && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(50));
        }
        stop.set();
        let (results, ended) = job.join().expect("no panic");
        assert!(ended.is_ok(), "{ended:?}");
        assert!(results == expected(0..300), "{} of 300 results, {}", results.len(), honest.messages());
        assert_eq!(done(4711), 300, "items are done once");
        assert!(observer.aside().expect("a list").is_empty());
        assert_eq!(honest.end(), Ok(()));
    });
}
