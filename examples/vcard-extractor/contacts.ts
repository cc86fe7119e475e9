/** vCard text → contacts: versions 2.1, 3.0 and 4.0, as telephones and address books write them (RFC 6350). */

export interface Contact {
	readonly name: string;
	readonly facts: readonly Fact[];
}

export interface Fact {
	/** `TEL`, say. */
	readonly property: string;
	/** `Telephone (home)`, say. */
	readonly label: string;
	readonly value: string;
}

interface Line {
	readonly property: string;
	readonly parameters: readonly string[];
	readonly raw: string;
}

/** What is worth finding, in the words of a person. Pictures, keys and numbers of revisions are not. */
const labels: Readonly<Record<string, string>> = {
	ADR: "Address",
	BDAY: "Birthday",
	EMAIL: "E-mail",
	NICKNAME: "Called",
	NOTE: "Note",
	ORG: "Organisation",
	ROLE: "Role",
	TEL: "Telephone",
	TITLE: "Title",
	URL: "Web page",
};

/** Parameters that say where a number rings; the others are for programs. */
const places = new Set(["home", "work", "cell", "fax", "pager"]);

export function readContacts(text: string): { readonly contacts: readonly Contact[]; readonly unfinished: number } {
	const contacts: Contact[] = [];
	let begun: Line[] | null = null;
	let unfinished = 0;
	for (const line of unfolded(text).map(parseLine)) {
		if (line === null) continue;
		const mark = `${line.property}:${line.raw.trim().toUpperCase()}`;
		if (mark === "BEGIN:VCARD") {
			if (begun !== null) unfinished++;
			begun = [];
		} else if (mark === "END:VCARD" && begun !== null) {
			const contact = contactOf(begun);
			if (contact !== null) contacts.push(contact);
			begun = null;
		} else begun?.push(line);
	}
	return { contacts, unfinished: unfinished + (begun === null ? 0 : 1) };
}

/** A line that begins with a blank goes on with the one before; so does one after the soft break of quoted-printable. */
function unfolded(text: string): readonly string[] {
	const lines: string[][] = [];
	let isSoft = false;
	for (const line of text.split(/\r\n?|\n/)) {
		const isFolded: boolean = !isSoft && /^[ \t]/.test(line);
		const piece: string = isFolded ? line.slice(1) : line;
		let pieces: string[] | undefined = isFolded || isSoft ? lines.at(-1) : undefined;
		// Pieces are joined at the end: a picture has a hundred thousand of them.
		if (pieces === undefined) {
			pieces = [];
			lines.push(pieces);
		}
		isSoft = piece.endsWith("=") && /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE/i.test(pieces[0] ?? piece);
		pieces.push(isSoft ? piece.slice(0, -1) : piece);
	}
	return lines.map((pieces) => pieces.join(""));
}

/** `item1.TEL;TYPE=home,voice:+44 …` → its parts; null for what is no such line. */
function parseLine(line: string): Line | null {
	const colon = /^(?:[^":]|"[^"]*")*(?=:)/.exec(line)?.[0].length ?? 0;
	if (colon < 1) return null;
	const [name = "", ...parameters] = line.slice(0, colon).split(";");
	return { property: name.replace(/^[^.]*\./, "").toUpperCase(), parameters, raw: line.slice(colon + 1) };
}

function contactOf(lines: readonly Line[]): Contact | null {
	const formatted = lines.find(({ property }) => property === "FN");
	const structured = lines.find(({ property }) => property === "N");
	const name = formatted === undefined ? nameOf(structured) : readable(formatted);
	if (name === "") return null;
	return { name, facts: lines.flatMap(factOf) };
}

function factOf(line: Line): readonly Fact[] {
	const { property, parameters } = line;
	const label = labels[property];
	const value = readable(line);
	if (label === undefined || value === "") return [];
	const types = parameters.flatMap((parameter) =>
		parameter
			.replace(/^TYPE=/i, "")
			.replaceAll('"', "")
			.toLowerCase()
			.split(","),
	);
	const where = types.filter((type) => places.has(type)).join(", ");
	return [{ property, label: where === "" ? label : `${label} (${where})`, value }];
}

/** Family; given; further; before; after: a person says the given name first. */
function nameOf(line: Line | undefined): string {
	if (line === undefined) return "";
	const [family = "", given = "", further = "", before = "", after = ""] = partsOf(line);
	return [before, given, further, family, after].filter((part) => part !== "").join(" ");
}

function readable(line: Line): string {
	return partsOf(line)
		.filter((part) => part !== "")
		.join(", ");
}

/** The parts between semicolons, without their escapes, each in one line. */
function partsOf({ parameters, raw }: Line): readonly string[] {
	const encoded = parameters.some((parameter) => /QUOTED-PRINTABLE$/i.test(parameter));
	const text = encoded ? decodeQuotedPrintable(raw) : raw;
	return text.split(/(?<!\\);/).map((part) =>
		part
			.replace(/\\([nN,;:\\])/g, (_, escaped: string) => (escaped.toLowerCase() === "n" ? " " : escaped))
			.replace(/\s+/g, " ")
			.trim(),
	);
}

/** The bytes of one letter stand beside each other, so every run is decoded by itself. */
function decodeQuotedPrintable(raw: string): string {
	return raw.replace(/(?:=[0-9A-F]{2})+/gi, (run) => new TextDecoder().decode(Uint8Array.from(run.slice(1).split("="), (hex) => Number.parseInt(hex, 16))));
}
