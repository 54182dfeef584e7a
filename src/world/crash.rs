//! The last line of a hook: a crash of this process writes the agent's refusal and ends with exit code 0.
//!
//! Agents let a call run when its hook dies, so dying has to refuse. A panic is met by the panic hook, which calls [`refuse`].
//! What Rust cannot catch arrives as a signal: an exhausted stack as SIGSEGV (handled on a stack of its own), a failed
//! allocation and every other `abort` as SIGABRT. The handler does two things that are allowed there: it writes bytes that
//! were rendered before, and leaves.
//!
//! Beside `os.rs` this is the only file with `unsafe` in it. Each block says why it is sound.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// The refusal, rendered before anything could go wrong. Leaked, so that it stays where it is.
static REFUSAL: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// Whether the reply is out. INVARIANT (one line): after it a crash says nothing more.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// From now on a crash writes `refusal`, which has its line end, to standard output.
pub fn guard(refusal: Vec<u8>) {
    let refusal: &'static mut [u8] = refusal.leak();
    LENGTH.store(refusal.len(), Ordering::SeqCst);
    REFUSAL.store(refusal.as_mut_ptr(), Ordering::SeqCst);
    signals::install();
}

/// The reply is being written, or silence was decided: a crash from now on adds nothing.
pub fn answered() {
    ANSWERED.store(true, Ordering::SeqCst);
}

/// Writes the refusal, unless the reply is out; whether it did.
pub fn say(refusal: &[u8]) -> bool {
    let first = !ANSWERED.swap(true, Ordering::SeqCst);
    if first {
        write(refusal);
    }
    first
}

/// Writes the refusal, unless the reply is out, and ends the process with exit code 0.
pub fn refuse(refusal: &[u8]) -> ! {
    say(refusal);
    leave(0)
}

/// The bytes given to [`guard`].
fn rendered() -> &'static [u8] {
    let start = REFUSAL.load(Ordering::SeqCst);
    if start.is_null() {
        return &[];
    }
    // SAFETY: `guard` leaked a slice of this length and stored the length before the pointer; nobody writes to it again.
    unsafe { std::slice::from_raw_parts(start, LENGTH.load(Ordering::SeqCst)) }
}

#[cfg(unix)]
fn write(mut bytes: &[u8]) {
    while !bytes.is_empty() {
        // SAFETY: the pointer and the length are those of a live slice; `write` may be called in a signal handler.
        let written = unsafe { libc::write(1, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written) {
            Ok(0) => return,
            Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
            Err(_) if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Ends the process, and does nothing else: what it holds is not worth giving back piece by piece.
#[cfg(unix)]
pub fn leave(code: i32) -> ! {
    // SAFETY: `_exit` may be called anywhere, a signal handler included, and does not return.
    unsafe { libc::_exit(code) }
}

#[cfg(not(unix))]
fn write(bytes: &[u8]) {
    use std::io::Write;
    let mut output = std::io::stdout();
    let _ = output.write_all(bytes).and_then(|()| output.flush());
}

/// Ends the process.
#[cfg(not(unix))]
pub fn leave(code: i32) -> ! {
    std::process::exit(code)
}

#[cfg(not(unix))]
mod signals {
    /// Where there are no signals, panics alone are met.
    pub fn install() {}
}

#[cfg(unix)]
mod signals {
    use std::mem::MaybeUninit;
    use std::ptr;

    /// Signals that end a process because of what it did itself.
    const OWN: [libc::c_int; 8] =
        [libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT, libc::SIGILL, libc::SIGFPE, libc::SIGSYS, libc::SIGTRAP, libc::SIGXCPU];

    /// The handler's own stack: the usual one is gone when it is exhausted. The kernel's largest frame (AVX-512, AMX) and the
    /// handler's few calls fit several times.
    const STACK: usize = 64 * 1024;

    /// Sets the handler. A system that refuses leaves what was there; nothing more can be done about it here.
    pub fn install() {
        let stack: &'static mut [MaybeUninit<u8>] = Box::leak(Box::<[u8]>::new_uninit_slice(STACK));
        let own = libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: STACK };
        // SAFETY: the stack was leaked, so it lives as long as the process and nobody else uses it.
        unsafe { libc::sigaltstack(&own, ptr::null_mut()) };
        // SAFETY: all zeros is a valid `sigaction`; the fields that matter are set below.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = on_signal as extern "C" fn(libc::c_int) as libc::sighandler_t;
        action.sa_flags = libc::SA_ONSTACK;
        // SAFETY: the set is a live local. No other signal interrupts the handler.
        unsafe { libc::sigfillset(&mut action.sa_mask) };
        for signal in OWN {
            // SAFETY: the action is complete, and the handler calls nothing but `write` and `_exit`.
            unsafe { libc::sigaction(signal, &action, ptr::null_mut()) };
        }
    }

    extern "C" fn on_signal(_signal: libc::c_int) {
        super::refuse(super::rendered())
    }
}
