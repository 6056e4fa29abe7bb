//! `emilia farm demo`: a farm on this machine, to see how it works.

use std::env;
use std::fs;
use std::io::IsTerminal;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use engine::clock::Moment;
use farm::status::Overseer;
use farm::{FarmAddress, Role};

use super::{stop_or_wait, table};
use crate::prelude::*;

/// Start a server and two workers on this machine, and play games with them
///
/// Needs `nats-server` (Debian package nats-server). Everything is removed at the end, except the games if --output is given.
#[derive(Args)]
pub(crate) struct Demo {
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number(1..=u64::MAX))]
    games: u64,

    /// Search depth in plies, in the games
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<u32>(1..=30))]
    depth: u32,

    /// Output file: the store of the games, which is kept
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Interval of the table where it cannot be drawn again.
const SHOWN_EVERY: Duration = Duration::from_secs(10);

struct Helper(Child);

impl Drop for Helper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Demo {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        let stop = interrupt::flag()?;
        let folder = Folder(env::temp_dir().join(format!("emilia-farm-demo-{}", std::process::id())));
        fs::create_dir_all(&folder.0).context("cannot create a folder for the demo")?;
        let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no free port for the server")?;
        let port = socket.local_addr()?.port();
        drop(socket);
        let _server = start_server(&folder.0, port)?;
        let url = format!("nats://127.0.0.1:{port}");
        let program = env::current_exe().context("cannot find this program")?;
        let files = folder.0.join("files");
        let messages = folder.0.join("messages");
        let helper = |arguments: &[&str]| -> Result<Helper> {
            let mut command = Command::new(&program);
            // Messages of helpers would be drawn into the table.
            let said = fs::File::options().create(true).append(true).open(&messages);
            let said = said.context("cannot create a file for the demo")?;
            command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
            Ok(Helper(command.spawn().context("cannot start this program again")?))
        };
        let files = files.display().to_string();
        let worker = |name| helper(&["worker", &url, "--threads", "1", "--name", name, "--files", &files]);
        let _workers = [worker("demo-1")?, worker("demo-2")?];
        let games = self.output.clone().unwrap_or_else(|| folder.0.join("games.store"));
        let (output, count, depth) = (games.display().to_string(), self.games.to_string(), self.depth.to_string());
        let start = Moment::now();
        let play = ["learn", "play", "--output", &output, "--games", &count, "--depth", &depth, "--farm", &url];
        let mut out = output::stdout();
        writeln!(out, "server: nats-server -js -p {port}\nworkers: emilia worker {url} --threads 1 (twice)")?;
        writeln!(out, "games: emilia {}\n", play.join(" "))?;
        out.flush()?;
        let mut submitter = helper(&play)?;
        let address = FarmAddress { url: url.clone(), ..FarmAddress::default() };
        let overseer = Overseer::connect(&address, Role::Observer)?;
        let is_live = io::stdout().is_terminal();
        let (mut lines, mut last_shown) = (0, None);
        let ended = loop {
            if let Some(status) = submitter.0.try_wait()? {
                break status;
            }
            interrupt::check(&stop)?;
            if let Ok(status) = overseer.status() {
                if is_live {
                    lines = table::redraw(&table::status(&status), lines)?;
                } else if !status.campaigns.is_empty()
                    && last_shown.is_none_or(|last: Moment| last.elapsed() > SHOWN_EVERY)
                {
                    last_shown = Some(Moment::now());
                    writeln!(out, "{}", table::status(&status))?;
                    out.flush()?;
                }
            }
            stop_or_wait(&stop, Duration::from_millis(500));
        };
        if !ended.success() {
            let said = fs::read_to_string(&messages).unwrap_or_default();
            bail!("the games were not played: {}", said.trim_end());
        }
        let seconds = start.elapsed().as_secs_f64();
        writeln!(
            out,
            "\n{} in {seconds:.1} s, {:.1} per second",
            counted(self.games, "game"),
            self.games as f64 / seconds
        )?;
        Ok(out.flush()?)
    }
}

fn start_server(folder: &std::path::Path, port: u16) -> Result<Helper> {
    let mut command = Command::new("nats-server");
    command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder.join("jetstream"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let server = match command.spawn() {
        Ok(server) => Helper(server),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            bail!("nats-server is not installed; on Debian: apt-get install nats-server");
        }
        Err(error) => return Err(error).context("cannot start nats-server"),
    };
    let start = Moment::now();
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        ensure!(start.elapsed() < Duration::from_secs(10), "nats-server does not answer");
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(server)
}
