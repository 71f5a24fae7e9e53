//! A to-do list: a domain read from text, with nothing of it in the source of the program.
//! Its state is a JSON object of lists, each an object of tasks, and a fork is a clone.

use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::domain::{
    Access, Answer, Change, ChangeKind, ContentEntry, Contents, Domain, DomainApi, Effects, Handle,
    Image, Map, Mark, Operation, Place, Planning, Refusal, Signer, Target, Touches, Value, World,
    Write,
};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::collections::HashSet;
use std::sync::{Arc, Mutex};

/// What a folder would hold.
const FOLDER: &str = r#"{
    "name": "todo",
    "api_doc": "def add_task(*, List: str, Title: str, Note: str) -> dict: ...",
    "operations": [
        {"name": "list_tasks", "effect": "read", "parameters": ["List"], "required": 1},
        {"name": "add_task", "effect": "write", "parameters": ["List", "Title", "Note"], "required": 2},
        {"name": "delete_task", "effect": "delete", "parameters": ["List", "Title"], "required": 2}
    ]
}"#;

/// Reads the domain. Nothing of it lives longer than the last handle to it.
pub fn domain() -> Arc<Domain> {
    let folder: Json = serde_json::from_str(FOLDER).unwrap();
    let text = |value: &Json| value.as_str().unwrap().to_owned();
    let operations = folder["operations"].as_array().unwrap().iter();
    let operations = operations.map(|operation| {
        let access: Access = serde_json::from_value(operation["effect"].clone()).unwrap();
        let parameters = operation["parameters"].as_array().unwrap().iter().map(text);
        let required = operation["required"].as_u64().unwrap();
        let required = usize::try_from(required).unwrap();
        Operation::new(text(&operation["name"]), access, parameters, required)
    });
    Arc::new(Domain {
        name: text(&folder["name"]).into(),
        api: DomainApi {
            document: text(&folder["api_doc"]).into(),
            handle: Some(Handle {
                name: "todo".into(),
                ..Handle::default()
            }),
            operations: operations.collect(),
            ..DomainApi::default()
        },
        effects: Effects {
            touches: Some(Arc::new(Named)),
            planning: Some(Arc::new(Planned)),
            ..Effects::default()
        },
        contents: Some(Arc::new(Lists)),
        ..Domain::default()
    })
}

/// A world: lists of tasks.
pub struct Todo(Mutex<Json>);

impl Todo {
    pub fn world(state: Json) -> Arc<dyn World> {
        Arc::new(Todo(Mutex::new(state)))
    }

    /// One task, or all tasks of a list.
    fn answer(&self, operation: &str, params: &Value) -> Answer {
        let mut state = self.0.lock().unwrap();
        let text = |name| params.get(name).and_then(Value::as_str);
        let missing = |what: &str| Refusal {
            code: "NotFound".to_owned(),
            message: format!("there is no {what}"),
            status: 404,
            details: Map::new(),
        };
        let list = text("List").unwrap_or_default();
        let tasks = state.get_mut(list).and_then(Json::as_object_mut);
        let tasks = tasks.ok_or_else(|| missing(list))?;
        let title = text("Title").unwrap_or_default();
        match operation {
            "list_tasks" => {
                let task = |(title, note): (&String, &Json)| {
                    let note = note.as_str().unwrap_or_default();
                    (title.clone().into(), Value::from(note))
                };
                return Ok(Value::Map(tasks.iter().map(task).collect()));
            }
            "add_task" => {
                let note = text("Note").unwrap_or_default();
                tasks.insert(title.to_owned(), note.into());
            }
            "delete_task" => {
                tasks.remove(title).ok_or_else(|| missing(title))?;
            }
            _ => return Err(missing(operation)),
        }
        Ok(Value::Null)
    }
}

#[async_trait]
impl World for Todo {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        Ok(self.answer(operation, params))
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        Some(Todo::world(self.0.lock().unwrap().clone()))
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        // Objects of `serde_json` keep their names in order.
        signer.field(b't', self.0.lock().unwrap().to_string().as_bytes());
        Ok(())
    }

    fn describe(&self) -> String {
        "a to-do list".to_owned()
    }
}

struct Named;

impl Touches for Named {
    fn targets(&self, _: &str, params: &Value) -> Vec<Target> {
        let names = ["List", "Title"].iter();
        let named = names.map_while(|name| params.get(name).and_then(Value::as_str));
        let place = Place::new(named);
        match place.segments() {
            [] => Vec::new(),
            _ => vec![Target::object(place)],
        }
    }

    fn call(&self, _: &str, place: Option<&str>, _: Option<&str>) -> Value {
        let segments = place.unwrap_or_default().split('/');
        Value::Map(params(&Place::new(segments)))
    }
}

struct Planned;

fn params(place: &Place) -> Map {
    let names = ["List", "Title"].iter().zip(place.segments());
    let pairs = names.map(|(name, value)| ((*name).into(), Value::from(value.as_str())));
    pairs.collect()
}

impl Planned {
    /// The note of a task, if there is one.
    async fn note(world: &dyn World, place: &Place) -> Result<Option<String>> {
        let list = Value::Map(params(&Place::container(place.root())));
        let tasks = world.call("list_tasks", &list).await?;
        let note = tasks.ok().and_then(|tasks| {
            let note = tasks.get(place.segments().get(1)?)?.as_str()?;
            Some(note.to_owned())
        });
        Ok(note)
    }
}

#[async_trait]
impl Planning for Planned {
    async fn marks(&self, world: &dyn World, places: &[&Place]) -> Result<Vec<Option<Mark>>> {
        let mut marks = Vec::new();
        for place in places {
            let note = Planned::note(world, place).await?;
            marks.push(note.map(|note| Mark {
                size: note.len() as u64,
                tag: note,
                version: None,
                summary: None,
            }));
        }
        Ok(marks)
    }

    async fn holds(&self, _: &dyn World, _: &Write, _: &Place) -> Result<bool> {
        Ok(false)
    }

    async fn image(
        &self,
        world: &dyn World,
        place: &Place,
        _: &HashSet<Place>,
        _: u64,
    ) -> Result<Image> {
        let Some(note) = Planned::note(world, place).await? else {
            return Ok(Image::Nothing);
        };
        let mut params = params(place);
        params.push(("Note".into(), note.into()));
        Ok(Image::Call {
            operation: "add_task".to_owned(),
            params: Value::Map(params),
        })
    }

    fn removal(&self, place: &Place) -> Option<(String, Value)> {
        Some(("delete_task".to_owned(), Value::Map(params(place))))
    }
}

/// The summary is the state of the world: what a reader sees.
struct Lists;

#[async_trait]
impl Contents for Lists {
    async fn summary(&self, world: &dyn World) -> Result<Json> {
        let mut lists = json!({});
        for list in ["home", "work"] {
            let params = Value::Map(params(&Place::container(list)));
            if let Ok(Value::Map(tasks)) = world.call("list_tasks", &params).await? {
                for (title, note) in tasks {
                    lists[list][&*title] = note.as_str().into();
                }
            }
        }
        Ok(lists)
    }

    fn changes(&self, before: &Json, after: &Json) -> Result<Vec<Change>> {
        let mut changes = Vec::new();
        for (kind, one, other, sign) in [
            (ChangeKind::Created, after, before, '+'),
            (ChangeKind::Deleted, before, after, '-'),
        ] {
            for (list, tasks) in one.as_object().unwrap() {
                for title in tasks.as_object().unwrap().keys() {
                    if other[list].get(title).is_none() {
                        changes.push(Change {
                            kind,
                            line: format!("{sign} {list}/{title}"),
                            keeps_state: false,
                            details: json!({"list": list, "title": title}),
                        });
                    }
                }
            }
        }
        Ok(changes)
    }

    fn entries(&self, summary: &Json) -> Result<Vec<ContentEntry>> {
        let lists = summary.as_object().unwrap().keys();
        let entry = |list: &String| ContentEntry {
            is_container: true,
            name: list.clone(),
            about: String::new(),
        };
        Ok(lists.map(entry).collect())
    }

    fn counts(&self, summary: &Json) -> Result<BTreeMap<String, usize>> {
        let lists = summary.as_object().unwrap().len();
        Ok(BTreeMap::from([("lists".to_owned(), lists)]))
    }

    async fn holdings(&self, world: &dyn World) -> Result<Vec<String>> {
        let summary = self.summary(world).await?;
        Ok(summary.as_object().unwrap().keys().cloned().collect())
    }

    async fn restore(&self, _: &dyn World, _: &dyn World) -> Result<()> {
        Ok(())
    }

    async fn clear(&self, _: &dyn World) -> Result<()> {
        Ok(())
    }
}
