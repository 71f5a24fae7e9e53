//! Chromium without a window, driven over its debugging pipe (the DevTools protocol).

use base64::Engine;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(90);

/// A browser with a profile of its own.
pub struct Browser {
    child: Child,
    to: RefCell<File>,
    from: Receiver<Value>,
    next: Cell<u64>,
    /// What pages complained about.
    complaints: RefCell<Vec<String>>,
    _folder: TempDir,
}

/// A tab.
pub struct Tab<'a> {
    browser: &'a Browser,
    target: String,
    session: String,
}

impl Browser {
    pub fn start(chromium: &Path) -> Browser {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = |name: &str| -> (PathBuf, File) {
            let path = folder.path().join(name);
            let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo");
            assert!(made.success());
            // For both, so that opening it waits for nobody.
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .open(&path)
                .expect("a pipe");
            (path, file)
        };
        let ((to_path, to), (from_path, from)) = (pipe("to"), pipe("from"));
        let child = Command::new("sh")
            .arg("-c")
            .arg("to=$1 from=$2; shift 2; exec \"$@\" 3<\"$to\" 4>\"$from\"")
            .arg("sh")
            .args([&to_path, &from_path])
            .arg(chromium)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--no-first-run",
            ])
            .args([
                "--disable-extensions",
                "--disable-background-networking",
                "--remote-debugging-pipe",
            ])
            .args([
                "--disable-background-timer-throttling",
                "--disable-renderer-backgrounding",
                "--disable-backgrounding-occluded-windows",
            ])
            .arg(format!(
                "--user-data-dir={}",
                folder.path().join("profile").display()
            ))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Chromium starts");
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(from).split(0) {
                let Ok(message) = message else { return };
                let Ok(message) = serde_json::from_slice(&message) else {
                    return;
                };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Browser {
            child,
            to: RefCell::new(to),
            from: receiver,
            next: Cell::new(1),
            complaints: RefCell::default(),
            _folder: folder,
        }
    }

    /// Opens a tab at an address.
    pub fn open(&self, address: &str) -> Tab<'_> {
        let target = self.call(
            None,
            "Target.createTarget",
            json!({"url": "about:blank", "newWindow": true}),
        );
        let target = target["targetId"].as_str().expect("a target").to_owned();
        let attached = self.call(
            None,
            "Target.attachToTarget",
            json!({"targetId": target, "flatten": true}),
        );
        let session = attached["sessionId"]
            .as_str()
            .expect("a session")
            .to_owned();
        let tab = Tab {
            browser: self,
            target,
            session,
        };
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            tab.call(domain, json!({}));
        }
        tab.call(
            "Emulation.setFocusEmulationEnabled",
            json!({"enabled": true}),
        );
        tab.size(1280, 800);
        tab.call("Page.navigate", json!({"url": address}));
        tab
    }

    fn call(&self, session: Option<&str>, method: &str, params: Value) -> Value {
        let answer = self.answer(session, method, &params);
        answer.unwrap_or_else(|error| panic!("{method} {params}: {error}"))
    }

    fn answer(&self, session: Option<&str>, method: &str, params: &Value) -> Result<Value, String> {
        let id = self.next.replace(self.next.get() + 1);
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(session) = session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to
            .borrow_mut()
            .write_all(&bytes)
            .expect("Chromium listens");
        loop {
            let got = self
                .from
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|_| panic!("no answer to {message}"));
            if got["id"] == id {
                return match got["error"].is_null() {
                    true => Ok(got["result"].clone()),
                    false => Err(got["error"].to_string()),
                };
            }
            self.note(&got);
        }
    }

    /// Keeps what a page's script or its policy stopped.
    fn note(&self, event: &Value) {
        let entry = &event["params"]["entry"];
        let is_bad = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => event["params"]["type"] == "error",
            Some("Log.entryAdded") => entry["level"] == "error" && entry["source"] != "network",
            _ => false,
        };
        if is_bad {
            self.complaints
                .borrow_mut()
                .push(event["params"].to_string());
        }
    }

    pub fn complaints(&self) -> Vec<String> {
        self.complaints.borrow().clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Tab<'_> {
    pub fn call(&self, method: &str, params: Value) -> Value {
        self.browser.call(Some(&self.session), method, params)
    }

    /// The value of an expression, which may be a promise.
    pub fn eval(&self, expression: &str) -> Value {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let got = self.call("Runtime.evaluate", params);
        assert!(
            got["exceptionDetails"].is_null(),
            "{expression}: {}",
            got["exceptionDetails"]
        );
        got["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn wait(&self, expression: &str) {
        let script = format!(
            "new Promise((done) => {{ const end = Date.now() + 60000; const look = () => {{
               let is = false; try {{ is = Boolean({expression}); }} catch {{}}
               if (is) done('yes'); else if (Date.now() > end) done(document.body?.innerText ?? 'no page'); else setTimeout(look, 20); }}; look(); }})"
        );
        let params = json!({"expression": script, "awaitPromise": true, "returnByValue": true});
        // The page may be replaced while it is looked at.
        let mut answers = (0..10).map(|_| {
            self.browser
                .answer(Some(&self.session), "Runtime.evaluate", &params)
        });
        let said = answers.find_map(Result::ok).expect("a page");
        assert_eq!(said["result"]["value"], "yes", "waiting for {expression}");
    }

    pub fn text(&self, selector: &str) -> String {
        let text = self.eval(&format!(
            "document.querySelector({selector:?})?.innerText ?? ''"
        ));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Clicks in the middle of the first element.
    pub fn click(&self, selector: &str) {
        self.wait(&format!("document.querySelector({selector:?})?.checkVisibility() && !document.querySelector({selector:?}).disabled"));
        let at = self.eval(&format!("(() => {{ const it = document.querySelector({selector:?}); it.scrollIntoView({{block: 'nearest'}}); const r = it.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"));
        for kind in ["mousePressed", "mouseReleased"] {
            self.call(
                "Input.dispatchMouseEvent",
                json!({"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}),
            );
        }
    }

    /// Types a text where the focus is.
    pub fn write(&self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Presses a key: a letter, `Enter`, `Tab`, `ArrowDown`; `modifiers` is 1 for Alt, 2 for Ctrl.
    pub fn press(&self, key: &str, modifiers: u32) {
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            " " => 32,
            "ArrowDown" => 40,
            "ArrowUp" => 38,
            "End" => 35,
            _ => key.to_uppercase().bytes().next().map_or(0, u32::from),
        };
        let text = match key {
            "Enter" => "\r",
            _ if key.len() == 1 && modifiers == 0 => key,
            _ => "",
        };
        let mut down = json!({"type": if text.is_empty() { "rawKeyDown" } else { "keyDown" }, "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers});
        if !text.is_empty() {
            down["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", down);
        self.call("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}));
    }

    /// Says something to the agent.
    pub fn say(&self, text: &str) {
        self.wait("document.getElementById('line').dataset.how === 'open' && !document.getElementById('send').hidden && document.getElementById('where').textContent");
        self.eval("document.getElementById('say').focus()");
        self.write(text);
        self.press("Enter", 0);
    }

    pub fn reload(&self) {
        self.eval("window.isOld = true");
        self.call("Page.reload", json!({}));
        self.wait("!window.isOld && document.readyState === 'complete'");
    }

    pub fn size(&self, width: u32, height: u32) {
        let params = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", params);
    }

    pub fn look(&self, look: &str) {
        self.call("Emulation.setEmulatedMedia", json!({"features": [{"name": "prefers-color-scheme", "value": look}, {"name": "prefers-reduced-motion", "value": "reduce"}]}));
    }

    pub fn picture(&self, file: &Path) {
        self.browser.call(
            None,
            "Target.activateTarget",
            json!({"targetId": self.target}),
        );
        let shot = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let data = shot["data"].as_str().expect("a picture");
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(data)
            .expect("base64");
        std::fs::write(file, bytes).expect("a file");
    }
}
