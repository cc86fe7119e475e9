/** `cairn embedder`: which embedder a server uses; `cairn embedder use NAME` changes it while the server runs. */

import { fail } from "../../core/errors/fail.ts";
import { type EmbedderStatus, readStatus, writeEmbedderRequest } from "../boot/embedder-request.ts";

export interface CommandOptions {
	readonly dataDir: string;
	readonly write: (text: string) => void;
	/** Polling interval. */
	readonly everyMs?: number;
	/** Stops waiting after this long; the switch continues in the server. */
	readonly patienceMs?: number;
}

const usage = "cairn embedder [use NAME]";
/** Several times what a server needs to notice a request. */
const heardMs = 10_000;

/** @returns the exit code. */
export async function embedderCommand(args: readonly string[], options: CommandOptions): Promise<number> {
	const [action, name, ...rest] = args;
	const status = readStatus(options.dataDir);
	if (status === null) throw fail("SETTING_INVALID", "CAIRN_DATA_DIR", `no server has run in ${options.dataDir}`);
	if (action === undefined) {
		options.write(wordsOf(status));
		return 0;
	}
	if (action !== "use" || name === undefined || rest.length > 0) throw fail("COMMAND_INVALID", `it is called as ${usage}`);
	if (!status.known.includes(name)) throw fail("PLUGIN_MISSING", "embedder", name, status.known.join(", "));
	writeEmbedderRequest(options.dataDir, name === status.configured ? null : { use: name, over: status.configured });
	return follow(name, options);
}

/** Shows the progress until searches use it. */
async function follow(name: string, { dataDir, write, everyMs = 250, patienceMs = Number.POSITIVE_INFINITY }: CommandOptions): Promise<number> {
	const began = performance.now();
	let reported = "";
	for (;;) {
		const status = readStatus(dataDir);
		if (status?.active === name && status.next === null) {
			write(`searches use ${name}\n`);
			return 0;
		}
		const waitedMs = performance.now() - began;
		if ((status?.next?.name !== name && waitedMs > heardMs) || waitedMs > patienceMs) {
			write(`the server does not say that it uses ${name} yet; when it runs, it goes on with it by itself\n`);
			return 1;
		}
		const words = status?.next?.name === name ? `${Math.floor(status.next.share * 100)} % of the vectors for ${name} are made\n` : "";
		if (words !== "" && words !== reported) write(words);
		reported = words;
		await Bun.sleep(everyMs);
	}
}

function wordsOf({ active, next, previous, known, complaint, at }: EmbedderStatus): string {
	const lines = [
		`searches use          ${active}`,
		...(next === null ? [] : [`vectors are made for  ${next.name}: ${Math.floor(next.share * 100)} %, ${next.written} written`]),
		...(previous === null ? [] : [`vectors are kept of   ${previous}`]),
		`known                 ${known.join(", ")}`,
		...(complaint === null ? [] : [`not heard             ${complaint}`]),
		`as of                 ${at}`,
	];
	return `${lines.join("\n")}\n`;
}
