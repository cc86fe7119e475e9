/** Other readers of documents, to compare with: programs of the system, and packages of this folder's own package.json. */

export interface Peer {
	readonly name: string;
	readonly formats: readonly string[];
	/** What it reads as Markdown or plain text. @throws when it cannot. */
	readonly read: (path: string) => Promise<string>;
}

export interface Company {
	readonly peers: readonly Peer[];
	/** Those that are not installed here. */
	readonly missing: readonly string[];
}

interface Program {
	readonly name: string;
	readonly formats: readonly string[];
	readonly command: (path: string) => readonly string[];
}

const programs: readonly Program[] = [
	{ name: "pdftotext", formats: ["pdf"], command: (path) => ["pdftotext", path, "-"] },
	{ name: "pandoc", formats: ["docx", "odt", "epub", "html", "rtf", "ipynb"], command: (path) => ["pandoc", "--to=gfm", "--wrap=none", path] },
	{ name: "tesseract", formats: ["png", "jpg", "tif"], command: (path) => ["tesseract", path, "-"] },
];

interface Package {
	readonly name: string;
	readonly formats: readonly string[];
	/** What is left of its interface here. */
	readonly reader: (module: unknown) => (path: string) => Promise<string>;
}

interface Unpdf {
	readonly extractText: (bytes: Uint8Array, options: { readonly mergePages: true }) => Promise<{ readonly text: string }>;
}
interface OfficeParser {
	readonly parseOffice: (path: string) => Promise<{ readonly to: (format: "md", options: object) => Promise<{ readonly value: unknown }> }>;
}
interface Mammoth {
	readonly convertToMarkdown: (input: { readonly path: string }) => Promise<{ readonly value: string }>;
}
interface SheetJs {
	readonly read: (bytes: Uint8Array) => { readonly SheetNames: readonly string[]; readonly Sheets: Readonly<Record<string, unknown>> };
	readonly utils: { readonly sheet_to_json: (sheet: unknown, options: { readonly header: 1; readonly raw: false }) => readonly (readonly unknown[])[] };
}

const packages: readonly Package[] = [
	{
		name: "unpdf",
		formats: ["pdf"],
		reader: (module) => async (path) => (await (module as Unpdf).extractText(await Bun.file(path).bytes(), { mergePages: true })).text,
	},
	{
		name: "officeparser",
		formats: ["docx", "xlsx", "pptx", "odt", "ods", "odp", "rtf"],
		reader: (module) => async (path) =>
			withoutFrontMatter(String((await (await (module as OfficeParser).parseOffice(path)).to("md", { generateIds: false })).value)),
	},
	{ name: "mammoth", formats: ["docx"], reader: (module) => async (path) => (await (module as Mammoth).convertToMarkdown({ path })).value },
	{ name: "@e965/xlsx", formats: ["xlsx", "xls", "ods"], reader: (module) => async (path) => sheetsOf(module as SheetJs, await Bun.file(path).bytes()) },
];

function withoutFrontMatter(text: string): string {
	return text.replace(/^---\n[\s\S]*?\n---\n/, "");
}

/** SheetJS writes no Markdown: its rows as a table, the names of sheets as headings. */
function sheetsOf({ read, utils }: SheetJs, bytes: Uint8Array): string {
	const { SheetNames, Sheets } = read(bytes);
	return SheetNames.map((name) => {
		const rows = utils.sheet_to_json(Sheets[name], { header: 1, raw: false });
		return [`# ${name}`, ...rows.map((row) => `| ${Array.from(row, (cell) => cell ?? "").join(" | ")} |`)].join("\n");
	}).join("\n\n");
}

const patienceMs = 60_000;

export async function findPeers(): Promise<Company> {
	const missing: string[] = [];
	const peers: Peer[] = [];
	for (const { name, formats, command } of programs) {
		if (Bun.which(name) === null) missing.push(name);
		else peers.push({ name, formats, read: (path) => output(command(path)) });
	}
	for (const { name, formats, reader } of packages) {
		try {
			const read = reader(exportsOf(await import(name)));
			peers.push({ name, formats, read: (path) => inTime(read(path)) });
		} catch {
			missing.push(name);
		}
	}
	return { peers, missing };
}

/** A package of the older kind has all it exports as one default. */
function exportsOf(module: { readonly default?: unknown }): unknown {
	return typeof module.default === "object" ? { ...module.default, ...module } : module;
}

async function output(command: readonly string[]): Promise<string> {
	const child = Bun.spawn([...command], { stdout: "pipe", stderr: "ignore", timeout: patienceMs, env: { ...process.env, OMP_THREAD_LIMIT: "1" } });
	const text = await new Response(child.stdout).text();
	if ((await child.exited) !== 0 && text.trim() === "") throw new Error(`${command[0]} ended with ${child.exitCode}`);
	return text;
}

function inTime<Value>(reading: Promise<Value>): Promise<Value> {
	return Promise.race([
		reading,
		Bun.sleep(patienceMs).then(() => {
			throw new Error("it took too long");
		}),
	]);
}
