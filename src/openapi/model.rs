//! The model of an API. It is the same for documents of all versions of OpenAPI.

use super::pages::{ALL_PAGES, Paging};
use serde_json::Value;

/// The method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are those of HTTP")]
pub enum Method {
    Get,
    Head,
    Options,
    Trace,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 8] = [
        Method::Get,
        Method::Head,
        Method::Options,
        Method::Trace,
        Method::Post,
        Method::Put,
        Method::Patch,
        Method::Delete,
    ];

    /// As HTTP spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Head => "HEAD",
            Method::Options => "OPTIONS",
            Method::Trace => "TRACE",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Patch => "PATCH",
            Method::Delete => "DELETE",
        }
    }

    /// As documents spell it, in lower case.
    pub(super) fn read(key: &str) -> Option<Self> {
        let is = |method: &Method| method.as_str().eq_ignore_ascii_case(key);
        Method::ALL.into_iter().find(is)
    }

    /// Whether it changes nothing on the server (RFC 9110, section 9.2.1).
    pub fn is_safe(self) -> bool {
        matches!(
            self,
            Method::Get | Method::Head | Method::Options | Method::Trace
        )
    }
}

/// One operation of an API.
#[derive(Debug, Clone, PartialEq)]
pub struct HttpOperation {
    /// The name in Python: an identifier, and no other operation has it.
    pub name: String,
    /// The `operationId` as the document has it.
    pub id: Option<String>,
    /// The method.
    pub method: Method,
    /// The path with its placeholders: `/pets/{petId}`.
    pub path: String,
    /// A summary in one line.
    pub summary: String,
    /// A longer description.
    pub description: String,
    /// The tags that it is listed under.
    pub tags: Vec<String>,
    /// The parameters of a call, with those of the body: the required ones first, each group
    /// in the document's order.
    pub parameters: Vec<Parameter>,
    /// The places and names of parameters that carry a secret. They are filled in from the
    /// [`Credentials`](super::Credentials), and no call passes them.
    pub secrets: Vec<(ParameterLocation, String)>,
    /// The body of the request, if it has one.
    pub body: Option<Body>,
    /// The type of the result.
    pub result: PythonType,
    /// The pages of the result, if the document shows that it has any.
    pub pages: Option<Paging>,
    /// The alternatives of schemes that authorise the call; an empty alternative means that
    /// none is needed. No alternative: the document says nothing.
    pub security: Vec<Vec<String>>,
    /// A server of its own, in place of the API's.
    pub server: Option<String>,
    /// Whether the document advises against it.
    pub is_deprecated: bool,
}

impl HttpOperation {
    /// The parameter of this Python name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|it| it.name == name)
    }

    /// Whether a call can ask for all pages at once.
    pub fn has_all_pages(&self) -> bool {
        self.pages.is_some() && self.parameter(ALL_PAGES).is_none()
    }
}

/// A type in Python's words, for people and models.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PythonType {
    /// The Python type: `list[dict]`.
    pub text: String,
    /// The fields of dicts in it: `{id: int, name: str}`. Empty if none are known.
    pub doc: String,
    /// The names of the fields of the dicts, for search.
    pub fields: Vec<String>,
    /// The lists in a dict, each by the names that lead to it.
    pub lists: Vec<Vec<String>>,
}

/// One parameter of an operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// The name in Python.
    pub name: String,
    /// The name in the request.
    pub wire: String,
    /// Its place in the request.
    pub place: ParameterLocation,
    /// Whether a call must have it.
    pub is_required: bool,
    /// Whether it may be `None`, and `None` is sent.
    pub is_nullable: bool,
    /// Its type.
    pub shape: PythonType,
    /// Its description.
    pub doc: String,
    /// The style in which its value is written.
    pub style: Style,
    /// The media type that the document gives its part of a form.
    pub media_type: Option<String>,
    /// Whether its times are dates: `format: date`.
    pub is_date: bool,
}

/// The place of a parameter in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParameterLocation {
    /// In the path, in the place of `{name}`.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
    /// In a cookie.
    Cookie,
    /// A property of the body, or the whole body if its properties are no parameters.
    Body,
}

/// How the value of a parameter is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// The separator of the parts of lists and dicts.
    pub form: StyleKind,
    /// Whether each part is written as if it were a parameter of its own.
    pub explodes: bool,
    /// Whether the reserved characters of URLs stay as they are.
    pub keeps_reserved: bool,
}

/// The separator of the parts of a value. The names are those of OpenAPI 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StyleKind {
    /// `a,b`.
    Simple,
    /// `.a.b`, in paths.
    Label,
    /// `;name=a,b`, in paths.
    Matrix,
    /// `name=a,b`, or `name=a&name=b` where it explodes.
    Form,
    /// `name=a%20b`.
    SpaceDelimited,
    /// `name=a%7Cb`.
    PipeDelimited,
    /// `name=a%09b`, of OpenAPI 2.0.
    TabDelimited,
    /// `name[key]=a`.
    DeepObject,
    /// JSON text: the document gives the parameter a media type and no style.
    Json,
    /// In a form, `name=a&name=b`, where each dict is JSON: the document gives it no style.
    Content,
}

/// The body of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// How it is written.
    pub media: Media,
    /// The media type, as the document has it: `application/json`.
    pub media_type: String,
    /// Whether a call must have one.
    pub is_required: bool,
    /// The schema. References in it are not resolved.
    pub schema: Value,
    /// Whether the properties of the body are parameters of the call. If not, the whole body
    /// is the parameter `body`, or the next free name.
    pub is_flat: bool,
    /// The Python names of properties that a body must have, if there is one.
    pub needs: Vec<String>,
}

/// How a body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Media {
    /// JSON.
    Json,
    /// `application/x-www-form-urlencoded`.
    Form,
    /// `multipart/form-data`.
    Multipart,
    /// Any other: the text or the bytes of the parameter.
    Other,
}

/// An authentication scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheme {
    /// The name in the document.
    pub name: String,
    /// The place of the proof in a request.
    pub kind: SchemeKind,
    /// Its description in the document.
    pub doc: String,
}

/// The place of the proof of a [`Scheme`] in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemeKind {
    /// A key in this header.
    Header(String),
    /// A key in this parameter of the query.
    Query(String),
    /// A key in this cookie.
    Cookie(String),
    /// User and password.
    Basic,
    /// A token; also that of OAuth 2 and OpenID Connect, which this program does not fetch.
    Bearer,
    /// A way that this program does not know.
    Unknown(String),
}
