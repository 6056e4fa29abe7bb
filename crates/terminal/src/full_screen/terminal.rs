//! The terminal while it belongs to the screen, and its return: whatever happens, it is left as it was found.

use std::io::{self, Stdout, Write};
use std::panic::{self, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use anyhow::{Context, Result};
use control::lock;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, KeyEvent, MouseEvent,
};
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::crossterm::{execute, style};
use ratatui::layout::Rect;

use report::look::Look;

/// Input from the terminal, or a signal.
#[derive(Debug)]
pub enum Input {
    /// A key.
    Key(KeyEvent),
    /// The mouse.
    Mouse(MouseEvent),
    /// A text that was pasted.
    Paste(String),
    /// A window of another size.
    Resize(u16, u16),
    /// The end: a signal, or a terminal that is gone.
    Terminate,
}

type Listener = Box<dyn Fn(Input) + Send>;

/// Passes input to the present listener. Between two listeners keys are lost, but never the end.
#[derive(Default)]
struct InputRouter {
    listener: Option<Listener>,
    is_ending: bool,
}

impl InputRouter {
    fn pass(&mut self, input: Input) {
        self.is_ending |= matches!(input, Input::Terminate);
        if let Some(listener) = &self.listener {
            listener(input);
        }
    }

    fn listen(&mut self, listener: Listener) {
        if self.is_ending {
            listener(Input::Terminate);
        }
        self.listener = Some(listener);
    }
}

/// Whether the terminal is ours: only then there is something to give back.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

type Hook = dyn Fn(&PanicHookInfo<'_>) + Sync + Send;

/// The terminal, taken for a screen. It is given back when this is dropped, or when the program panics.
pub struct FullScreen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    router: Arc<Mutex<InputRouter>>,
    former_hook: Arc<Hook>,
}

impl FullScreen {
    /// Takes the terminal. If that is not possible, the error ends with an alternative.
    pub fn take(look: Look, instead: &str) -> Result<Self> {
        // Otherwise the library would read the environment again.
        style::force_color_output(look.color);
        let router = Arc::new(Mutex::new(InputRouter::default()));
        let former_hook = restore_on_panic();
        let backend = CrosstermBackend::new(io::stdout());
        let terminal = acquire().and_then(|()| Terminal::new(backend));
        let screen = match terminal.with_context(|| format!("cannot use the terminal in full-screen mode; {instead}")) {
            Ok(terminal) => Self { terminal, router, former_hook },
            Err(error) => {
                give_back(&former_hook);
                return Err(error);
            }
        };
        let router = Arc::clone(&screen.router);
        thread::spawn(move || read_input(&router));
        Ok(screen)
    }

    /// Returns a function that ends the screen, for the handler of signals.
    pub fn terminator(&self) -> impl Fn() + Send + use<> {
        let router = Arc::clone(&self.router);
        move || lock(&router).pass(Input::Terminate)
    }

    /// Replaces the listener; the new one also receives an end that has come before.
    pub fn listen(&self, listener: Listener) {
        lock(&self.router).listen(listener);
    }

    /// The terminal to draw on.
    pub fn terminal(&mut self) -> &mut Terminal<CrosstermBackend<Stdout>> {
        &mut self.terminal
    }

    /// Gives the terminal to the shell until the program is called back.
    pub(crate) fn suspend(&mut self) -> Result<()> {
        restore();
        #[cfg(unix)]
        {
            use rustix::process::{Signal, getpid, kill_process};
            kill_process(getpid(), Signal::TSTP).context("cannot suspend the program")?;
        }
        acquire().context("cannot take over the terminal again")?;
        // Everything is drawn again. To clear would ask the terminal for its cursor, whose answer the reader of input takes.
        let size = self.terminal.size().context("cannot draw on the terminal")?;
        self.terminal.resize(Rect::new(0, 0, size.width, size.height)).context("cannot draw on the terminal")
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        give_back(&self.former_hook);
    }
}

/// Gives the terminal back, and restores the former panic hook.
fn give_back(former_hook: &Arc<Hook>) {
    restore();
    let former = Arc::clone(former_hook);
    // A hook cannot be changed by a thread that panics; then it is the last anyway.
    if !thread::panicking() {
        panic::set_hook(Box::new(move |panic| former(panic)));
    }
}

fn acquire() -> io::Result<()> {
    IS_TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste)
}

/// Gives the terminal back, if it was taken. What fails here cannot be helped.
fn restore() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(io::stdout(), DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
        let _ = io::stdout().flush();
    }
}

/// A panic of the program is printed on a restored terminal. One of a player is caught and shown on
/// the screen, so nothing is written over it.
fn restore_on_panic() -> Arc<Hook> {
    let former: Arc<Hook> = Arc::from(panic::take_hook());
    let (own, hook) = (thread::current().id(), Arc::clone(&former));
    panic::set_hook(Box::new(move |panic| {
        if thread::current().id() == own {
            restore();
            hook(panic);
        }
    }));
    former
}

/// Passes on everything that comes from the terminal, until it is gone.
fn read_input(router: &Mutex<InputRouter>) {
    loop {
        let input = match event::read() {
            Ok(event::Event::Key(key)) => Input::Key(key),
            Ok(event::Event::Mouse(mouse)) => Input::Mouse(mouse),
            Ok(event::Event::Paste(text)) => Input::Paste(text),
            Ok(event::Event::Resize(width, height)) => Input::Resize(width, height),
            Ok(event::Event::FocusGained | event::Event::FocusLost) => continue,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break lock(router).pass(Input::Terminate),
        };
        lock(router).pass(input);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn an_end_between_two_listeners_is_passed_to_the_next() {
        let mut router = InputRouter::default();
        let (said, heard) = channel();
        router.listen(Box::new(move |input| drop(said.send(input))));
        router.pass(Input::Resize(80, 24));
        assert!(matches!(heard.try_recv(), Ok(Input::Resize(80, 24))));
        // The first has left, and the second is not there yet.
        drop(heard);
        router.pass(Input::Resize(90, 30));
        router.pass(Input::Terminate);
        let (said, heard) = channel();
        router.listen(Box::new(move |input| drop(said.send(input))));
        assert!(matches!(heard.try_recv(), Ok(Input::Terminate)));
        assert!(heard.try_recv().is_err());
    }
}
