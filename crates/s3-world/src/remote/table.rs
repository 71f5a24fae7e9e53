//! Requests and answers of the SDK as tables.
//!
//! A row contains the SDK's method and boto3's name. The rows of a request are in the
//! order of botocore's model. The rows of an answer are in the order in which botocore
//! builds its dict: headers first, then the body.

/// Fills a builder of the SDK from the program's parameters. A row has a setter and a
/// parameter, and is listed under the method of [`Params`](super::params::Params) that
/// reads the parameter. Mistakes in values are remembered by `Params`.
macro_rules! filled {
    ($p:expr, $builder:expr; $($read:ident { $($set:ident $name:literal),* $(,)? })*) => {{
        let builder = $builder;
        $($( let builder = builder.$set($p.$read($name)); )*)*
        builder
    }};
}

/// A request of the SDK, once all parameters are read and valid.
macro_rules! request {
    ($p:expr, $builder:expr; $($rows:tt)*) => {{
        let request = $crate::remote::table::filled!($p, $builder; $($rows)*);
        $p.finish()?;
        request
    }};
}

/// Sends a request with the program's key instead of a marked one, and returns the
/// answer.
macro_rules! sent {
    ($call:expr, $p:expr, $request:expr) => {{
        let request = $request.customize().mutate_request($p.unmark());
        request.send().await.map_err(|error| $call.trouble(error))?
    }};
}

/// Appends to the fields of an answer. A row has boto3's name, the method of
/// [`Fields`](super::answers::Fields) that adds it, and the SDK's getter.
macro_rules! answered {
    ($fields:expr, $output:expr; $($name:literal $put:ident $get:ident),* $(,)?) => {{
        let fields = $fields;
        $( let fields = fields.$put($name, $output.$get()); )*
        fields
    }};
}

/// The checksums in answers.
macro_rules! checksums {
    ($fields:expr, $output:expr) => {
        $crate::remote::table::answered!($fields, $output;
            "ChecksumCRC32" put checksum_crc32,
            "ChecksumCRC32C" put checksum_crc32_c,
            "ChecksumCRC64NVME" put checksum_crc64_nvme,
            "ChecksumSHA1" put checksum_sha1,
            "ChecksumSHA256" put checksum_sha256,
            "ChecksumSHA512" put checksum_sha512,
            "ChecksumMD5" put checksum_md5,
            "ChecksumXXHASH64" put checksum_xxhash64,
            "ChecksumXXHASH3" put checksum_xxhash3,
            "ChecksumXXHASH128" put checksum_xxhash128,
        )
    };
}

/// The fields of answers about encryption.
macro_rules! encryption {
    ($fields:expr, $output:expr) => {
        $crate::remote::table::answered!($fields, $output;
            "SSECustomerAlgorithm" put sse_customer_algorithm,
            "SSECustomerKeyMD5" put sse_customer_key_md5,
            "SSEKMSKeyId" put ssekms_key_id,
        )
    };
}

pub(super) use {answered, checksums, encryption, filled, request, sent};
