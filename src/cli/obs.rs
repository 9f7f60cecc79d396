//! `--obs ws://HOST:PORT`: scenes and sources of OBS are switched as the table goes on, over obs-websocket 5.

use std::{sync::Arc, time::Duration};

use anyhow::bail;
use hyper::Uri;
use obws::{
    client::{ConnectConfig, DangerousConnectConfig},
    requests::{
        EventSubscription,
        scene_items::{Id, SetEnabled},
        scenes::SceneId,
    },
};
use serde_json::{Value, json};

use crate::server::{Client, Hub};

/// Where the password of obs-websocket is looked for.
pub(super) const PASSWORD: &str = "TILELENS_OBS_PASSWORD";
/// OBS is asked whether it is there this often.
const BEAT: Duration = Duration::from_secs(5);
/// Whoever does not answer for so long is not there.
const PATIENCE: Duration = Duration::from_secs(5);
/// Pauses before it is connected to again, in seconds.
const FIRST: u64 = 1;
const LONGEST: u64 = 16;
/// The port of obs-websocket where none is said.
const PORT: u16 = 4455;

/// Where OBS is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ObsAddress {
    host: String,
    port: u16,
}

impl std::str::FromStr for ObsAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "an address such as ws://127.0.0.1:4455 is expected".to_owned();
        if text.contains('@') {
            return Err(format!("leave the password out of the address, and set {PASSWORD} to it"));
        }
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let is_bare = uri.path() == "/" && uri.query().is_none();
        match uri.host() {
            Some(host) if uri.scheme_str() == Some("ws") && is_bare => {
                Ok(Self { host: host.to_owned(), port: uri.port_u16().unwrap_or(PORT) })
            }
            _ => Err(wrong()),
        }
    }
}

/// When something is switched. It goes by what viewers see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// A hand has come on air.
    Settled,
    /// A result was confirmed.
    Confirmed,
    /// The confirmed hand has gone: the next one is played.
    Next,
}

/// What is switched.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Switch {
    /// To a scene.
    Scene(String),
    /// A source of a scene on or off.
    Source { scene: String, source: String, is_on: bool },
}

/// What is switched, and when: `settled=scene:Table`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cue {
    moment: Moment,
    switch: Switch,
}

impl std::str::FromStr for Cue {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            "expected MOMENT=SWITCH: settled, confirmed or next; scene:NAME, show:SCENE/SOURCE or hide:SCENE/SOURCE"
                .to_owned()
        };
        let (moment, switch) = text.split_once('=').ok_or_else(wrong)?;
        let (kind, name) =
            switch.split_once(':').filter(|(_, name)| !name.is_empty()).ok_or_else(wrong)?;
        let moment = match moment {
            "settled" => Moment::Settled,
            "confirmed" => Moment::Confirmed,
            "next" => Moment::Next,
            _ => return Err(wrong()),
        };
        let source = |is_on| -> Result<Switch, String> {
            let (scene, source) = name.split_once('/').ok_or_else(wrong)?;
            Ok(Switch::Source { scene: scene.to_owned(), source: source.to_owned(), is_on })
        };
        let switch = match kind {
            "scene" => Switch::Scene(name.to_owned()),
            "show" => source(true)?,
            "hide" => source(false)?,
            _ => return Err(wrong()),
        };
        Ok(Self { moment, switch })
    }
}

/// What of the viewers' state makes moments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen {
    is_confirmed: bool,
    hand: Option<String>,
}

impl Seen {
    fn of(state: &Value) -> Self {
        let hand = state["reading"]["hand"]["text"].as_str();
        let is_off = state["phase"] == "rejected" || state["stale"] == true;
        Self {
            is_confirmed: state["phase"] == "confirmed",
            hand: hand.filter(|_| !is_off).map(str::to_owned),
        }
    }

    /// The moments between an earlier state and this one.
    fn since(&self, before: &Self) -> Vec<Moment> {
        if self.is_confirmed {
            return if before.is_confirmed { Vec::new() } else { vec![Moment::Confirmed] };
        }
        let next = before.is_confirmed.then_some(Moment::Next);
        // A hand that only changes, as by a correction, has been there before.
        let is_new = self.hand.is_some()
            && (before.hand.is_none() || (before.is_confirmed && self.hand != before.hand));
        next.into_iter().chain(is_new.then_some(Moment::Settled)).collect()
    }
}

/// OBS, and what is switched there.
#[derive(Clone, Debug)]
pub(super) struct Obs {
    address: ObsAddress,
    cues: Vec<Cue>,
    password: Option<String>,
}

impl Obs {
    /// What was asked for on the command line; the password comes from the environment, where a list of processes does not
    /// show it.
    pub(super) fn asked(
        address: Option<&ObsAddress>,
        cues: &[Cue],
    ) -> anyhow::Result<Option<Self>> {
        let Some(address) = address else { return Ok(None) };
        if cues.is_empty() {
            bail!("--obs: say what is switched, such as --obs-on settled=scene:Table");
        }
        let password = std::env::var(PASSWORD).ok().filter(|password| !password.is_empty());
        Ok(Some(Self { address: address.clone(), cues: cues.to_vec(), password }))
    }

    /// Switches for as long as the program runs. Where OBS is away it is connected to again, with growing pauses; what it missed
    /// meanwhile is not made up for.
    pub(super) async fn follow(self, hub: Arc<Hub>) {
        let mut said = String::new();
        let mut tell = |why: Option<String>| {
            let why = why.unwrap_or_default();
            if why == said && !why.is_empty() {
                return;
            }
            let about = if why.is_empty() {
                json!({ "state": "connected" })
            } else {
                tracing::error!("--obs: {why}");
                json!({ "state": "lost", "why": why })
            };
            hub.tell_obs(about);
            said = why;
        };
        let mut states = hub.states();
        let mut pause = FIRST;
        loop {
            match self.connected().await {
                Ok(client) => {
                    pause = FIRST;
                    tell(None);
                    let why = self.switch(&client, &mut states, &mut tell).await;
                    tell(Some(why));
                }
                Err(why) => tell(Some(why)),
            }
            tokio::time::sleep(Duration::from_secs(pause)).await;
            pause = (2 * pause).min(LONGEST);
        }
    }

    async fn connected(&self) -> Result<obws::Client, String> {
        let config = ConnectConfig {
            host: self.address.host.clone(),
            port: self.address.port,
            password: self.password.clone(),
            event_subscriptions: Some(EventSubscription::NONE),
            broadcast_capacity: 1,
            connect_timeout: PATIENCE,
            // The few requests that are made are the same in every version of the protocol.
            dangerous: Some(DangerousConnectConfig {
                skip_studio_version_check: true,
                skip_websocket_version_check: true,
            }),
        };
        let connecting = obws::Client::connect_with_config(config);
        match tokio::time::timeout(PATIENCE, connecting).await {
            Ok(Ok(client)) => Ok(client),
            Ok(Err(obws::error::Error::Handshake(_))) => Err(format!(
                "{} refused: set {PASSWORD} to the password that OBS shows under Tools, WebSocket Server Settings",
                self.place()
            )),
            Ok(Err(_)) | Err(_) => Err(format!(
                "nobody answers at {}: start OBS, and enable its server under Tools, WebSocket Server Settings",
                self.place()
            )),
        }
    }

    fn place(&self) -> String {
        format!("ws://{}:{}", self.address.host, self.address.port)
    }

    /// Switches until OBS is away; gives why it is.
    async fn switch(
        &self,
        client: &obws::Client,
        states: &mut tokio::sync::watch::Receiver<crate::server::States>,
        tell: &mut impl FnMut(Option<String>),
    ) -> String {
        let seen = |states: &mut tokio::sync::watch::Receiver<crate::server::States>| {
            let text = states.borrow_and_update().of(Client::Screen).to_owned();
            Seen::of(&serde_json::from_str(&text).unwrap_or_default())
        };
        let gone = || format!("{} is away; trying again", self.place());
        let mut before = seen(states);
        let mut beat = tokio::time::interval(BEAT);
        loop {
            tokio::select! {
                changed = states.changed() => {
                    if changed.is_err() {
                        return gone();
                    }
                    let now = seen(states);
                    for moment in now.since(&before) {
                        for cue in self.cues.iter().filter(|cue| cue.moment == moment) {
                            match tokio::time::timeout(PATIENCE, cue.switch.done(client)).await {
                                Ok(Ok(())) => tell(None),
                                Ok(Err(obws::error::Error::Api { message, .. })) => {
                                    tell(Some(cue.switch.refused(message.as_deref())));
                                }
                                Ok(Err(_)) | Err(_) => return gone(),
                            }
                        }
                    }
                    before = now;
                }
                _ = beat.tick() => {
                    let asked = tokio::time::timeout(PATIENCE, client.general().version()).await;
                    if !matches!(asked, Ok(Ok(_))) {
                        return gone();
                    }
                }
            }
        }
    }
}

impl Switch {
    async fn done(&self, client: &obws::Client) -> Result<(), obws::error::Error> {
        match self {
            Self::Scene(name) => {
                client.scenes().set_current_program_scene(SceneId::Name(name)).await
            }
            Self::Source { scene, source, is_on } => {
                let items = client.scene_items();
                let scene = SceneId::Name(scene);
                let item_id = items.id(Id { scene, source, search_offset: None }).await?;
                items.set_enabled(SetEnabled { scene, item_id, enabled: *is_on }).await
            }
        }
    }

    /// What is said where OBS does not know it.
    fn refused(&self, why: Option<&str>) -> String {
        let what = match self {
            Self::Scene(name) => format!("the scene {name}"),
            Self::Source { scene, source, .. } => {
                format!("the source {source} of the scene {scene}")
            }
        };
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        format!("{what} was not switched{why}: write names as OBS shows them")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_name_a_moment_and_what_is_switched() {
        let cue = |text: &str| text.parse::<Cue>();
        let scene = |moment, name: &str| Cue { moment, switch: Switch::Scene(name.to_owned()) };
        assert_eq!(
            cue("settled=scene:Close-up: hand"),
            Ok(scene(Moment::Settled, "Close-up: hand"))
        );
        assert_eq!(cue("next=scene:Table"), Ok(scene(Moment::Next, "Table")));
        let switch =
            Switch::Source { scene: "Table".to_owned(), source: "Score".to_owned(), is_on: false };
        assert_eq!(
            cue("confirmed=hide:Table/Score"),
            Ok(Cue { moment: Moment::Confirmed, switch })
        );
        for wrong in
            ["", "settled", "settled=Table", "won=scene:A", "next=show:Score", "next=scene:"]
        {
            assert!(cue(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn addresses_hold_no_password() {
        let address = |text: &str| text.parse::<ObsAddress>();
        let at = |host: &str, port| Ok(ObsAddress { host: host.to_owned(), port });
        assert_eq!(address("ws://127.0.0.1:4455"), at("127.0.0.1", 4455));
        assert_eq!(address("ws://studio.local/"), at("studio.local", 4455));
        assert!(address("ws://obs:secret@10.0.0.2").unwrap_err().contains(PASSWORD));
        for wrong in ["127.0.0.1:4455", "http://127.0.0.1", "ws://127.0.0.1/x", "ws://"] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn moments_are_what_viewers_see_happen() {
        let watching =
            |hand: Option<&str>| Seen { is_confirmed: false, hand: hand.map(str::to_owned) };
        let confirmed = |hand: &str| Seen { is_confirmed: true, hand: Some(hand.to_owned()) };
        for (before, now, moments) in [
            (watching(None), watching(Some("1m")), vec![Moment::Settled]),
            (watching(Some("1m")), watching(Some("2m")), vec![]),
            (watching(Some("1m")), watching(None), vec![]),
            (watching(Some("1m")), confirmed("1m"), vec![Moment::Confirmed]),
            (watching(None), confirmed("1m"), vec![Moment::Confirmed]),
            (confirmed("1m"), confirmed("1m"), vec![]),
            (confirmed("1m"), watching(None), vec![Moment::Next]),
            (confirmed("1m"), watching(Some("1m")), vec![Moment::Next]),
            (confirmed("1m"), watching(Some("2m")), vec![Moment::Next, Moment::Settled]),
        ] {
            assert_eq!(now.since(&before), moments, "{before:?} {now:?}");
        }
        let state =
            json!({ "phase": "watching", "stale": true, "reading": { "hand": { "text": "1m" } } });
        assert_eq!(Seen::of(&state), watching(None));
    }
}
