/** Mails, data and programs that are nested without end, endless in one direction, or lie about themselves. */

import { msgOf } from "../mail-files.ts";

const million = 1_000_000;

export const hostileData = {
	"parts.eml": () => Buffer.from(`Subject: deep\n${many(1_000, (at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`)}\nwords`),
	"attachments.eml": () =>
		Buffer.from(
			`Subject: many\nContent-Type: multipart/mixed; boundary=b\n\n${many(100_000, (at) => `--b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename=a${at}.pdf\n\nx\n`)}--b--\n`,
		),
	"forwarded.eml": () => Buffer.from(`${many(2_000, (at) => `Subject: ${at}\nContent-Type: message/rfc822\n\n`)}Subject: core\n\nwords`),
	"headers.eml": () => Buffer.from(`Subject: x\n${"X-A: b\n".repeat(million * 3)}\nwords`),
	"subject.eml": () => Buffer.from(`Subject: ${"a ".repeat(million)}\n\n${"words\n\n".repeat(10_000)}`),
	"addressees.eml": () => Buffer.from(`Subject: x\nTo: ${many(100_000, (at) => `A B <a${at}@b.example>, `)}\n\nwords`),
	"base64.eml": () => Buffer.from(`Subject: lie\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n${noise(100_000).toString("base64")}`),
	"quotes.eml": () => Buffer.from(`Subject: x\n\n${">".repeat(million)} words`),
	"page.eml": () => Buffer.from(`Subject: x\nContent-Type: text/html\n\n${"<div>".repeat(million)}words`),
	"mails.mbox": () => Buffer.from(many(50_000, (at) => `From a@b.example Mon Jan  1 10:00:00 2024\nSubject: ${at}\n\nwords\n\n`)),
	"loop.msg": () => looped(msgOf({ properties: { "0037": "Loop", "1000": "words" } })),
	"nested.msg": () => msgOf(nestedMail(30)),
	"noise.msg": () => Buffer.concat([msgOf({ properties: { "0037": "x" } }).subarray(0, 512), noise(million)]),
	"events.ics": () =>
		Buffer.from(
			`BEGIN:VCALENDAR\n${many(100_000, (at) => `BEGIN:VEVENT\nSUMMARY:${at}\nDTSTART:99999999T999999\nRRULE:FREQ=SECONDLY;COUNT=999999999\nEND:VEVENT\n`)}`,
		),
	"nested.ics": () => Buffer.from(`${"BEGIN:VCALENDAR\n".repeat(million / 2)}`),
	"folded.ics": () => Buffer.from(`BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:a\n${" b\n".repeat(million)}END:VEVENT\nEND:VCALENDAR\n`),
	"length.emlx": () => Buffer.from(`999999999999\nSubject: lie\nFrom: a@b.example\nMessage-Id: <a>\n\nwords`),
	"lists.json": () => Buffer.from(`${"[".repeat(million)}${"]".repeat(million)}`),
	"open.json": () => Buffer.from("[{".repeat(million)),
	"line.json": () => Buffer.from(`{"a":[${many(million, (at) => `{"b":${at},"c":[${at}]},`)}{}]}`),
	"names.json": () => Buffer.from(`{${many(million, (at) => `"n${at}":${at},`)}"z":1}`),
	"escapes.json": () => Buffer.from(`{"a":"${"\\".repeat(million)}","b":"${'\\"'.repeat(million)}"}`),
	"broken.ndjson": () => Buffer.from("{]\n".repeat(million / 2)),
	"kinds.ndjson": () => Buffer.from(many(100_000, (at) => `{"k${at}":${at},"l${at}":1}\n`)),
	"nested.ipynb": () => Buffer.from(`{"cells":${"[".repeat(million)}`),
	"output.ipynb": () => Buffer.from(`{"cells":[{"cell_type":"code","source":"x","outputs":[{"output_type":"stream","text":"${"y".repeat(million)}"}]}]}`),
	"nested.xml": () => Buffer.from(`<?xml version="1.0"?>${"<a>".repeat(million)}`),
	"attributes.xml": () => Buffer.from(`<?xml version="1.0"?><a ${many(200_000, (at) => `a${at}="b" `)}/>`),
	"items.rss": () =>
		Buffer.from(`<rss><channel><title>x</title>${"<item><title>a</title><description>&lt;b&gt;words</description></item>".repeat(20_000)}</channel></rss>`),
	"brackets.js": () => Buffer.from("({[`${".repeat(million)),
	"levels.py": () => Buffer.from(many(3_000, (at) => `${" ".repeat(at)}if a:\n`)),
	"heredocs.sh": () => Buffer.from("<<A\n".repeat(200_000)),
	"line.ts": () => Buffer.from(`var a=/[/]/.test(b)?\`\${c}\`:d;`.repeat(200_000)),
} as const satisfies Record<string, () => Uint8Array>;

function many(count: number, part: (at: number) => string): string {
	return Array.from({ length: count }, (_, at) => part(at)).join("");
}

/** The same bytes in every run, with none that repeats soon. */
function noise(length: number): Buffer {
	let state = 1;
	return Buffer.from(
		Uint8Array.from({ length }, () => {
			state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
			return state >>> 24;
		}),
	);
}

function nestedMail(depth: number): Parameters<typeof msgOf>[0] {
	const inner = depth === 0 ? [] : [{ properties: { "3701": nestedMail(depth - 1) } }];
	return { properties: { "0037": `Level ${depth}` }, attachments: inner };
}

/** Every sector is followed by the first. */
function looped(file: Uint8Array): Uint8Array {
	const copy = file.slice();
	const view = new DataView(copy.buffer);
	const chain = (view.getUint32(76, true) + 1) * 512;
	for (let at = chain; at + 4 <= copy.byteLength; at += 4) if (view.getUint32(at, true) > 0xfffffff0) view.setUint32(at, 0, true);
	return copy;
}
