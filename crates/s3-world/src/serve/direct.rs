//! The service as an HTTP client of the AWS SDK, without a socket.

use super::{Service, stream};
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, SharedHttpClient, SharedHttpConnector, http_client_fn,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use http::HeaderValue;
use http::header::HOST;

/// An HTTP client that passes every request to the service, whatever address it is for.
pub fn http_client(service: Service) -> SharedHttpClient {
    let connector = SharedHttpConnector::new(Direct(service));
    http_client_fn(move |_, _| connector.clone())
}

#[derive(Debug)]
struct Direct(Service);

impl HttpConnector for Direct {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let service = self.0.clone();
        HttpConnectorFuture::new(async move {
            let mut request = request
                .try_into_http1x()
                .map_err(|error| ConnectorError::user(error.into()))?;
            // HTTP clients with a socket add this header.
            if let Some(host) = request.uri().authority()
                && let Ok(host) = HeaderValue::from_str(host.as_str())
            {
                request.headers_mut().entry(HOST).or_insert(host);
            }
            let (mut head, body) = service.answer(request).await.into_parts();
            let body = match stream::is_streamed(&head.extensions) {
                true => SdkBody::from_body_1_x(stream::body(&mut head.extensions, body)),
                // The SDK can read a body in memory again.
                false => SdkBody::from(body),
            };
            let response = http::Response::from_parts(head, body);
            HttpResponse::try_from(response)
                .map_err(|error| ConnectorError::other(error.into(), None))
        })
    }
}
