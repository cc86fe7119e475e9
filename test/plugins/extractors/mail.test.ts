/** The mail extractors: EML, mailboxes and MSG; bodies, attachments, what is damaged, the contract tests. */

import { describe, expect, test } from "bun:test";
import type { MediaType } from "cairn-memory";
import mailPlugin from "../../../plugins/extractors/mail/index.ts";
import { msgOf } from "../../doubles/mail-files.ts";
import { codeOf, extractorNamed, read, testContract } from "./samples.ts";

const start = () => extractorNamed(mailPlugin(), "mail");
const startMsg = () => extractorNamed(mailPlugin(), "msg");
const outlook = "application/vnd.ms-outlook";

const letter = `Subject: =?utf-8?q?K=C3=A4the?= sails
From: "Olsen, Ola" <ola@example.org>
To: siri@example.org, Crew: per@example.org, ann@example.org;
Date: Mon, 1 Jan 2024 10:00:00 +0100
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

The ferry is late, as in M=E4rz.

> When does it leave?
> And with whom?
>> Tell me.

--b
Content-Type: text/csv; name=crew.csv
Content-Disposition: attachment; filename=crew.csv

name,years
Ola,12
Siri,7
--b
Content-Type: application/pdf; name=plan.pdf
Content-Disposition: attachment; filename*=utf-8''pl%C3%A4n.pdf
Content-Transfer-Encoding: base64

JVBERi0=
--b
Content-Type: message/rfc822

Subject: The older one
From: per@example.org

Short words.
--b--
`;

const message = msgOf({
	properties: {
		"0037": "Low water",
		"0C1A": "Ola",
		"5D01": "ola@example.org",
		"1000": "The rock is dry.\r\n\r\nCome soon.",
	},
	numbers: { 57: 133_486_056_000_000_000n },
	recipients: [
		{ properties: { "3001": "Siri", "39FE": "siri@example.org" }, numbers: { 3093: 1n } },
		{ properties: { "3001": "Per" }, numbers: { 3093: 2n } },
	],
	attachments: [
		{ properties: { "3707": "list.txt", "3701": new TextEncoder().encode("rope and lantern") } },
		{ properties: { "3707": "plan.pdf", "3701": new TextEncoder().encode("%PDF-") } },
		{ properties: { "3701": { properties: { "0037": "Inside", "1000": "Deep words." } } } },
	],
});

async function extract(text: string | Uint8Array, mediaType: MediaType = "message/rfc822") {
	return await read(await start(), text, mediaType);
}

describe("laws of mail", () => {
	const words =
		"Käthe sails From Olsen Ola ola@example.org To siri@example.org per@example.org ann@example.org Date Mon 1 Jan 2024 10 00 00 0100 The ferry is late as in März When does it leave And with whom Tell me Attachments plän.pdf crew.csv name years Ola 12 Siri 7 The older one From per@example.org Short words";
	testContract(start, [
		{
			bytes: new TextEncoder().encode(letter),
			mediaType: "message/rfc822",
			fileName: "letter.eml",
			words: words.split(" "),
			headings: ["Käthe sails", "The older one"],
		},
	]);
});

describe("laws of MSG", () => {
	const words =
		"Low water From Ola ola@example.org To Siri siri@example.org Cc Per Date Mon 01 Jan 2024 18 00 00 GMT The rock is dry Come soon list.txt rope and lantern Attachments plan.pdf Inside Deep words";
	testContract(startMsg, [{ bytes: message, mediaType: outlook, fileName: "low.msg", words: words.split(" "), headings: ["Low water"] }]);
});

test("a mail is a section: subject, who and when, words with quotes, what is attached", async () => {
	const { extraction, step } = await extract(letter);
	expect(extraction.text).toBe(
		"# Käthe sails\n\nFrom: Olsen, Ola <ola@example.org>\nTo: siri@example.org, per@example.org, ann@example.org\nDate: Mon, 1 Jan 2024 10:00:00 +0100\n\n" +
			"The ferry is late, as in März.\n\n> When does it leave?\n> And with whom?\n\n> > Tell me.\n\nAttachments: plän.pdf\n\n" +
			"## crew.csv\n\n| name | years |\n| --- | --- |\n| Ola | 12 |\n| Siri | 7 |\n\n## The older one\n\nFrom: per@example.org\n\nShort words.",
	);
	expect(extraction.title).toBe("Käthe sails");
	expect(step.warnings).toEqual([]);
	expect(step.attachments.map(({ path, bytes, claimedMediaType }) => [path, Buffer.from(bytes).toString(), claimedMediaType])).toEqual([
		["plän.pdf", "%PDF-", "application/pdf"],
	]);
	expect(extraction.blocks.find((block) => block.kind === "row")?.headings).toEqual(["Käthe sails", "crew.csv"]);
});

test("a page is read where there is no plain text to speak of; its headings stand below the subject", async () => {
	const both = (plain: string) =>
		`Subject: News\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n${plain}\n--b\nContent-Type: text/html\n\n<h1>Tides</h1><p>High water is <b>at noon</b>, low water in the evening.</p><script>x</script>\n--b--\n`;
	expect((await extract(both("See the page."))).extraction.text).toBe("# News\n\n## Tides\n\nHigh water is **at noon**, low water in the evening.");
	expect((await extract(both("Tides\n\nHigh water is at noon, low water in the evening."))).extraction.text).toContain("\n\nTides\n\nHigh water is at noon");
});

test("flowing lines are joined, old character sets and UTF-16 files are read", async () => {
	expect((await extract("Subject: a\nContent-Type: text/plain; format=flowed\n\nOne long \nline.\nAnother.")).extraction.text).toBe(
		"# a\n\nOne long line.\nAnother.",
	);
	const quote = "> It was late in the autumn when the old ship \n> came home, as 2 > 1 and nobody had expected \n> her.\nYes.";
	expect((await extract(`Subject: a\nContent-Type: text/plain; format="flowed"\n\n${quote}`)).extraction.text).toBe(
		"# a\n\n> It was late in the autumn when the old ship came home, as 2 > 1 and nobody had expected her.\n\nYes.",
	);
	const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("Subject: Käthe\n\nwords", "utf16le")]);
	expect((await extract(wide)).extraction.text).toBe("# Käthe\n\nwords");
	const russian = Buffer.concat([Buffer.from("Subject: a\nContent-Type: text/plain; charset=koi8-r\n\n"), Buffer.from([0xd0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4])]);
	expect((await extract(russian)).extraction.text).toContain("привет");
});

test("a mailbox is one section for each mail, marks before From are taken off, a broken mail hides no other", async () => {
	const box = (second: string) =>
		`From ola@example.org Mon Jan  1 10:00:00 2024\nSubject: One\n\nwords\n>From here\n>>From there\nFrom the sea they came\n\nFrom siri@example.org Mon Jan  1 10:00:01 2024\n${second}`;
	const { extraction } = await extract(box("Subject: Two\n\nmore\n"), "application/mbox");
	expect(extraction.text).toBe("# One\n\nwords\nFrom here\n\n> From there\n\nFrom the sea they came\n\n# Two\n\nmore");
	const { step } = await extract(box("no header\n"), "application/mbox");
	expect(step.warnings).toEqual([{ code: "MAILS_SKIPPED", message: "1 of 2 mails cannot be read" }]);
	expect(await codeOf(extract("words", "application/mbox"))).toBe("FILE_BROKEN");
});

test("mails within mails have an end, and so have parts within parts", async () => {
	let inner = "Subject: core\n\nwords";
	for (let at = 0; at < 30; at++) inner = `Subject: ${at}\nContent-Type: message/rfc822\n\n${inner}`;
	const { extraction, step } = await extract(inner);
	expect(extraction.blocks.length).toBe(10);
	expect(step.attachments.map(({ path }) => path.split("/").length)).toEqual([10]);
	const parts = Array.from({ length: 1_000 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`).join("");
	expect(await codeOf(extract(`Subject: a\n${parts}\nwords`))).toBe("FILE_BROKEN");
});

test("a body that is no text is remarked, a file without a header is broken", async () => {
	const noise = Buffer.from(Uint8Array.from({ length: 3_000 }, (_, at) => (at * 7_919) % 256)).toString("base64");
	const { step, extraction } = await extract(`Subject: lie\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n${noise}`);
	expect(extraction.text).toBe("# lie");
	expect(step.warnings.map(({ code }) => code)).toEqual(["BODY_UNREAD"]);
	expect(await codeOf(extract("just words\nand more"))).toBe("FILE_BROKEN");
});

test("MSG: addresses, the time in words, text, attachments and mails inside", async () => {
	const { extraction, step } = await read(await startMsg(), message, outlook);
	expect(extraction.text).toBe(
		"# Low water\n\nFrom: Ola <ola@example.org>\nTo: Siri <siri@example.org>\nCc: Per\nDate: Mon, 01 Jan 2024 18:00:00 GMT\n\nThe rock is dry.\n\nCome soon.\n\n" +
			"Attachments: plan.pdf\n\n## list.txt\n\nrope and lantern\n\n## Inside\n\nDeep words.",
	);
	expect([step.warnings, step.attachments.map(({ path }) => path)]).toEqual([[], ["plan.pdf"]]);
});

test("MSG: rich text is unpacked, or taken as it is stored", async () => {
	// The example of MS-OXRTFCP: `{\rtf1\ansi\ansicpg1252\pard hello world}`.
	const packed = Buffer.from("2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0", "hex");
	expect((await read(await startMsg(), msgOf({ properties: { "0037": "Rich", "1009": packed } }), outlook)).extraction.text).toBe("# Rich\n\nhello world");
	const rtf = Buffer.from("{\\rtf1 plain {\\b bold}}");
	const stored = Buffer.concat([Buffer.alloc(8), Buffer.from("MELA"), Buffer.alloc(4), rtf]);
	expect((await read(await startMsg(), msgOf({ properties: { "1009": stored } }), outlook)).extraction.text).toBe("plain **bold**");
	const html = msgOf({ properties: { "1013": new TextEncoder().encode("<p>as a <i>page</i></p>") } });
	expect((await read(await startMsg(), html, outlook)).extraction.text).toBe("as a *page*");
});

test("MSG: what is no compound file is broken", async () => {
	expect(await codeOf(read(await startMsg(), "words".repeat(200), outlook))).toBe("FILE_BROKEN");
});

test("of a mail of Apple Mail neither the length before it nor the list behind it is read", async () => {
	const mail = "From: ola@example.org\nSubject: Tide\nMessage-Id: <1>\n\nThe tide turns.\n";
	const emlx = `${mail.length}       \n${mail}<?xml version="1.0"?><plist><dict><key>flags</key></dict></plist>`;
	const { extraction } = await read(await extractorNamed(mailPlugin(), "mail"), new TextEncoder().encode(emlx), "message/rfc822");
	expect(extraction.text).toBe("# Tide\n\nFrom: ola@example.org\n\nThe tide turns.");
});

test("an invitation is told as an event", async () => {
	const event = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Regatta\nDTSTART:20260601T090000Z\nLOCATION:Pier 3\nEND:VEVENT\nEND:VCALENDAR";
	const mail = `From: ola@example.org\nSubject: Come\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nPlease come.\n--b\nContent-Type: text/calendar; name=a.ics\nContent-Disposition: attachment; filename=a.ics\n\n${event}\n--b--\n`;
	const { extraction } = await read(await extractorNamed(mailPlugin(), "mail"), new TextEncoder().encode(mail), "message/rfc822");
	expect(extraction.text).toContain("Regatta\n\nWhen: 2026-06-01 09:00 UTC\nWhere: Pier 3");
	expect(extraction.text).not.toContain("BEGIN:");
});
