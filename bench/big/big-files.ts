/** Big files as people export them: tables, chats, logs, notes. All made here, from one seed. */

import { sheetData, xlsxOf } from "../../test/doubles/office-files.ts";

export interface BigFile {
	readonly fileName: string;
	readonly what: string;
	readonly make: () => Uint8Array;
}

const names = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Edsger Dijkstra", "Barbara Liskov", "Donald Knuth", "Frances Allen", "Niklaus Wirth"];
const towns = ["Lyon", "Kraków", "Porto", "Ghent", "Tampere", "Bergen", "Graz", "Lugano"];
const words =
	"the pump in hall four was checked again because its valve had lost pressure over night and nobody could say why until the report came in from the workshop".split(
		" ",
	);
const states = ["paid", "open", "sent", "returned"];

/** The same numbers each time. */
function random(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

function sentence(pick: (below: number) => number, length: number): string {
	return Array.from({ length }, () => words[pick(words.length)]).join(" ");
}

function order(at: number, pick: (below: number) => number): readonly (string | number)[] {
	const day = `2026-${String(1 + pick(12)).padStart(2, "0")}-${String(1 + pick(28)).padStart(2, "0")}`;
	const price = pick(100_000) / 100;
	return [
		100_000 + at,
		names[pick(8)] ?? "",
		towns[pick(8)] ?? "",
		day,
		`SKU-${pick(5_000)}`,
		1 + pick(20),
		price,
		states[pick(4)] ?? "",
		`user${pick(40_000)}@example.org`,
		sentence(pick, 3),
	];
}

const columns = ["order", "customer", "town", "day", "article", "count", "price", "state", "mail", "note"];

export function csvFile(rows: number): Uint8Array {
	const pick = random(1);
	const lines = [columns.slice(0, 8).join(",")];
	for (let at = 0; at < rows; at++) lines.push(order(at, pick).slice(0, 8).join(","));
	return Buffer.from(`${lines.join("\n")}\n`);
}

export function xlsxFile(rows: number): Uint8Array {
	const pick = random(2);
	return xlsxOf([{ name: "Orders", xml: sheetData([columns, ...Array.from({ length: rows }, (_, at) => order(at, pick))]) }]);
}

/** The same cells, their texts in the list that all sheets share: as Excel writes it. */
export function sharedXlsxFile(rows: number): Uint8Array {
	const pick = random(2);
	const strings = new Map<string, number>();
	const cell = (value: string | number) => {
		if (typeof value === "number") return `<c><v>${value}</v></c>`;
		const index = strings.get(value) ?? strings.size;
		strings.set(value, index);
		return `<c t="s"><v>${index}</v></c>`;
	};
	const data: string[] = [];
	for (let at = -1; at < rows; at++) data.push(`<row r="${at + 2}">${(at < 0 ? columns : order(at, pick)).map(cell).join("")}</row>`);
	const table = [...strings.keys()].map((text) => `<si><t>${text}</t></si>`).join("");
	return xlsxOf([{ name: "Orders", xml: `<sheetData>${data.join("")}</sheetData>` }], { "xl/sharedStrings.xml": `<sst>${table}</sst>` });
}

/** One list of records of one kind. */
export function jsonTable(bytes: number): Uint8Array {
	const pick = random(3);
	const records: string[] = [];
	for (let length = 0, at = 0; length < bytes; at++) {
		const cells = order(at, pick);
		const record = JSON.stringify(Object.fromEntries(columns.map((name, column) => [name, cells[column]])));
		records.push(record);
		length += record.length + 2;
	}
	return Buffer.from(`[${records.join(",\n")}]`);
}

/** As messengers export: talks with messages whose text is a list of pieces. */
export function jsonChats(bytes: number): Uint8Array {
	const pick = random(4);
	const talks: string[] = [];
	for (let length = 0, at = 0; length < bytes; at++) {
		const messages = Array.from({ length: 200 }, (_, index) => ({
			id: at * 200 + index,
			type: "message",
			date: `2026-03-${String(1 + (at % 28)).padStart(2, "0")}T10:${String(index % 60).padStart(2, "0")}:00`,
			from: names[pick(8)],
			text: index % 7 === 0 ? [sentence(pick, 6), { type: "link", text: "https://example.org/a" }, sentence(pick, 4)] : sentence(pick, 4 + pick(30)),
		}));
		const talk = JSON.stringify({ name: names[at % 8], type: "personal_chat", id: at, messages });
		talks.push(talk);
		length += talk.length + 1;
	}
	return Buffer.from(`{"about":"an export","chats":{"list":[${talks.join(",")}]}}`);
}

export function jsonLines(bytes: number): Uint8Array {
	return Buffer.from(Buffer.from(jsonTable(bytes)).toString().slice(1, -1).replaceAll("},\n{", "}\n{"));
}

export function markupFile(bytes: number): Uint8Array {
	const pick = random(5);
	const lines: string[] = [];
	for (let length = 0; length < bytes; ) {
		const line = `- **${sentence(pick, 2)}** [${sentence(pick, 1)}](https://example.org/${pick(999)}) *${sentence(pick, 1)}* \`${sentence(pick, 1)}\` ~~${sentence(pick, 1)}~~ **_${sentence(pick, 1)}_**`;
		lines.push(line);
		length += line.length + 1;
	}
	return Buffer.from(lines.join("\n"));
}

export function logFile(bytes: number): Uint8Array {
	const pick = random(6);
	const lines: string[] = [];
	for (let length = 0, at = 0; length < bytes; at++) {
		const line = `2026-03-01T10:${String(at % 60).padStart(2, "0")}:00.${100 + pick(900)}Z INFO [worker-${pick(8)}] ${sentence(pick, 8 + pick(8))} id=${pick(1e9)}`;
		lines.push(line);
		length += line.length + 1;
	}
	return Buffer.from(lines.join("\n"));
}

export const bigFiles: readonly BigFile[] = [
	{ fileName: "orders.csv", what: "400,000 rows of 8 cells", make: () => csvFile(400_000) },
	{ fileName: "orders.xlsx", what: "200,000 rows of 10 cells, texts in the cells", make: () => xlsxFile(200_000) },
	{ fileName: "shared.xlsx", what: "200,000 rows of 10 cells, texts shared", make: () => sharedXlsxFile(200_000) },
	{ fileName: "records.json", what: "25 MB, one list of records", make: () => jsonTable(25e6) },
	{ fileName: "chats.json", what: "25 MB of talks", make: () => jsonChats(25e6) },
	{ fileName: "records.jsonl", what: "25 MB, a record a line", make: () => jsonLines(25e6) },
	{ fileName: "markup.md", what: "0.5 MB of nothing but markup", make: () => markupFile(5e5) },
	{ fileName: "server.log", what: "25 MB of lines", make: () => logFile(25e6) },
];
