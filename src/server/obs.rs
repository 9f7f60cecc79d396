//! Scenes and sources of OBS are switched as the table goes on, over obs-websocket 5.

use std::{sync::Arc, time::Duration};

use super::{Hub, ObsState, OnAir, PhaseName, States};
use hyper::Uri;
use obws::{
    client::{ConnectConfig, DangerousConnectConfig},
    requests::{
        EventSubscription,
        scene_items::{Id, SetEnabled},
        scenes::SceneId,
    },
};

/// The environment variable with the password of obs-websocket.
pub const PASSWORD: &str = "TILELENS_OBS_PASSWORD";
/// The interval of pings to OBS.
const BEAT: Duration = Duration::from_secs(5);
/// The longest wait for an answer of OBS.
const PATIENCE: Duration = Duration::from_secs(5);
/// The first pause before a reconnection, in seconds.
const FIRST: u64 = 1;
/// The longest pause before a reconnection, in seconds.
const LONGEST: u64 = 16;
/// The default port of obs-websocket.
const PORT: u16 = 4455;

/// The address of OBS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObsAddress {
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

/// The moment of a switch, in the scene that viewers see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CueMoment {
    /// A hand has come on air.
    Settled,
    /// A result was confirmed.
    Confirmed,
    /// The confirmed hand has gone: the next one is played.
    Next,
}

/// A switch in OBS.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Switch {
    /// To a scene.
    Scene(String),
    /// A source of a scene on or off.
    Source { scene: String, source: String, is_on: bool },
}

/// A switch and its moment: `settled=scene:Table`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cue {
    moment: CueMoment,
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
            "settled" => CueMoment::Settled,
            "confirmed" => CueMoment::Confirmed,
            "next" => CueMoment::Next,
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

/// The part of the scene that moments depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ShownState {
    is_confirmed: bool,
    hand: Option<String>,
}

impl ShownState {
    fn of(scene: &OnAir) -> Self {
        Self {
            is_confirmed: scene.phase == PhaseName::Confirmed,
            hand: scene.hand.as_ref().map(|hand| hand.text.clone()),
        }
    }

    /// The moments between an earlier state and this one.
    fn since(&self, before: &Self) -> Vec<CueMoment> {
        if self.is_confirmed {
            return if before.is_confirmed { Vec::new() } else { vec![CueMoment::Confirmed] };
        }
        let next = before.is_confirmed.then_some(CueMoment::Next);
        // A hand that only changes, as by a correction, is not new.
        let is_new = self.hand.is_some()
            && (before.hand.is_none() || (before.is_confirmed && self.hand != before.hand));
        next.into_iter().chain(is_new.then_some(CueMoment::Settled)).collect()
    }
}

/// The connection to OBS and its switches.
#[derive(Clone, Debug)]
pub struct Obs {
    address: ObsAddress,
    cues: Vec<Cue>,
    password: Option<String>,
}

impl Obs {
    /// OBS at an address, with its switches and the password of its server.
    pub fn new(address: ObsAddress, cues: Vec<Cue>, password: Option<String>) -> Self {
        Self { address, cues, password }
    }

    /// Switches while the program runs. When OBS is away it reconnects, with growing pauses; missed switches are not
    /// repeated.
    pub async fn follow(self, hub: Arc<Hub>) {
        let mut said = String::new();
        let mut tell = |why: Option<String>| {
            let why = why.unwrap_or_default();
            if why == said && !why.is_empty() {
                return;
            }
            let about = if why.is_empty() {
                ObsState::Connected
            } else {
                tracing::error!("--obs: {why}");
                ObsState::Lost { why: why.clone() }
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

    /// Switches until OBS is away; returns the reason.
    async fn switch(
        &self,
        client: &obws::Client,
        states: &mut tokio::sync::watch::Receiver<States>,
        tell: &mut impl FnMut(Option<String>),
    ) -> String {
        let seen = |states: &mut tokio::sync::watch::Receiver<States>| {
            ShownState::of(states.borrow_and_update().scene())
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

    /// The name of the switch's target in messages.
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
            Ok(scene(CueMoment::Settled, "Close-up: hand"))
        );
        assert_eq!(cue("next=scene:Table"), Ok(scene(CueMoment::Next, "Table")));
        let switch =
            Switch::Source { scene: "Table".to_owned(), source: "Score".to_owned(), is_on: false };
        assert_eq!(
            cue("confirmed=hide:Table/Score"),
            Ok(Cue { moment: CueMoment::Confirmed, switch })
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
            |hand: Option<&str>| ShownState { is_confirmed: false, hand: hand.map(str::to_owned) };
        let confirmed = |hand: &str| ShownState { is_confirmed: true, hand: Some(hand.to_owned()) };
        for (before, now, moments) in [
            (watching(None), watching(Some("1m")), vec![CueMoment::Settled]),
            (watching(Some("1m")), watching(Some("2m")), vec![]),
            (watching(Some("1m")), watching(None), vec![]),
            (watching(Some("1m")), confirmed("1m"), vec![CueMoment::Confirmed]),
            (watching(None), confirmed("1m"), vec![CueMoment::Confirmed]),
            (confirmed("1m"), confirmed("1m"), vec![]),
            (confirmed("1m"), watching(None), vec![CueMoment::Next]),
            (confirmed("1m"), watching(Some("1m")), vec![CueMoment::Next]),
            (confirmed("1m"), watching(Some("2m")), vec![CueMoment::Next, CueMoment::Settled]),
        ] {
            assert_eq!(now.since(&before), moments, "{before:?} {now:?}");
        }
    }
}
