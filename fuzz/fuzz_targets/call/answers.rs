//! Reading answers as the guest does, with nothing of the host's own reader.

use minicbor::Decoder;
use minicbor::data::Type;
use minicbor::decode::Error;

/// What an answer says.
pub enum Answer {
    Value,
    /// With its code.
    Refusal(String),
}

/// Reads an answer that must be well formed, to its last byte.
pub fn read(bytes: &[u8]) -> Answer {
    let mut from = Decoder::new(bytes);
    let answer = answer(&mut from).expect("a well-formed answer");
    assert_eq!(
        from.position(),
        bytes.len(),
        "an answer, and something behind it"
    );
    answer
}

fn answer(from: &mut Decoder<'_>) -> Result<Answer, Error> {
    let length = from.array()?;
    Ok(match (length, from.u8()?) {
        (Some(2), 0) => {
            value(from, 0)?;
            Answer::Value
        }
        (Some(5), 1) => {
            let code = from.str()?.to_owned();
            assert!(!code.is_empty(), "an error without a code");
            from.str()?;
            let status = from.u16()?;
            assert!((300..600).contains(&status), "{code}: status {status}");
            value(from, 0)?;
            Answer::Refusal(code)
        }
        other => panic!("an answer that begins {other:?}"),
    })
}

fn value(from: &mut Decoder<'_>, depth: u32) -> Result<(), Error> {
    assert!(depth < 16, "answers are not nested deeply");
    match from.datatype()? {
        Type::Array => {
            let length = from.array()?.expect("a length");
            (0..length).try_for_each(|_| value(from, depth + 1))
        }
        Type::Map => {
            let length = from.map()?.expect("a length");
            (0..length).try_for_each(|_| {
                from.str()?;
                value(from, depth + 1)
            })
        }
        Type::Tag => {
            from.tag()?;
            let seconds = from.f64()?;
            assert!(seconds.is_finite(), "a time that is none");
            Ok(())
        }
        Type::Null | Type::Bool | Type::String | Type::Bytes | Type::F64 => from.skip(),
        Type::U8 | Type::U16 | Type::U32 | Type::U64 => from.skip(),
        Type::I8 | Type::I16 | Type::I32 | Type::I64 => from.skip(),
        other => panic!("an answer with {other}"),
    }
}
