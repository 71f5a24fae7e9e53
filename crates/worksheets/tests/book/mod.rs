//! Small workbooks, written by hand.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The cells of a CSV text.
pub fn rows(csv: &str) -> Vec<Vec<String>> {
    csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(csv.as_bytes())
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect()
}

/// A workbook with one sheet; `extra` stands in further rows as it is.
pub fn workbook(rows: &[Vec<String>], extra: &[&str]) -> Vec<u8> {
    let mut data = String::new();
    for (at, row) in rows.iter().enumerate() {
        data.push_str(&format!("<row r=\"{}\">", at + 1));
        for (column, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let letter = char::from(b'A' + u8::try_from(column).unwrap());
            let text = cell.replace('&', "&amp;").replace('<', "&lt;");
            data.push_str(&format!(
                "<c r=\"{letter}{}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>",
                at + 1
            ));
        }
        data.push_str("</row>");
    }
    for cell in extra {
        data.push_str(&format!("<row>{cell}</row>"));
    }
    let sheet = format!(
        "<?xml version=\"1.0\"?><worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>{data}</sheetData></worksheet>"
    );
    parts(&[("xl/worksheets/sheet1.xml", sheet.as_bytes())])
}

/// A workbook with a part of zeros.
pub fn bomb(size: usize) -> Vec<u8> {
    parts(&[("xl/worksheets/sheet1.xml", &vec![b' '; size])])
}

fn parts(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let types = "<?xml version=\"1.0\"?><Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/><Override PartName=\"/xl/workbook.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/></Types>";
    let root = "<?xml version=\"1.0\"?><Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>";
    let book = "<?xml version=\"1.0\"?><workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets><sheet name=\"Sheets\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>";
    let links = "<?xml version=\"1.0\"?><Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>";
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let fixed = [
        ("[Content_Types].xml", types),
        ("_rels/.rels", root),
        ("xl/workbook.xml", book),
        ("xl/_rels/workbook.xml.rels", links),
    ];
    let fixed = fixed.map(|(name, text)| (name, text.as_bytes()));
    for (name, bytes) in fixed.iter().chain(parts) {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
