/** `cairn embedder` shows which embedder a server uses; `cairn embedder use NAME` changes it while the server runs. */

import { fail } from "../../core/errors/fail.ts";
import { type EmbedderStatus, readStatus, writeEmbedderRequest } from "../boot/embedder-request.ts";

export interface CommandOptions {
	readonly dataDir: string;
	readonly write: (text: string) => void;
	/** Polling interval. */
	readonly pollEveryMs?: number;
	/** The command stops waiting after this time; the server continues the change. */
	readonly waitMsMax?: number;
}

const usage = "cairn embedder [use NAME]";
/** A server notices a request in much less time than this. */
const acceptMsMax = 10_000;

/** @returns the exit code. */
export async function embedderCommand(args: readonly string[], options: CommandOptions): Promise<number> {
	const [action, name, ...rest] = args;
	const status = readStatus(options.dataDir);
	if (status === null) throw fail("SETTING_INVALID", "CAIRN_DATA_DIR", `no server has run in ${options.dataDir}`);
	if (action === undefined) {
		options.write(statusText(status));
		return 0;
	}
	if (action !== "use" || name === undefined || rest.length > 0) throw fail("COMMAND_INVALID", `usage: ${usage}`);
	if (!status.known.includes(name)) throw fail("PLUGIN_MISSING", "embedder", name, status.known.join(", "));
	writeEmbedderRequest(options.dataDir, name === status.configured ? null : { use: name, over: status.configured });
	return waitUntilActive(name, options);
}

/** Shows the progress until searches use the new embedder. @returns the exit code */
async function waitUntilActive(name: string, { dataDir, write, pollEveryMs = 250, waitMsMax = Number.POSITIVE_INFINITY }: CommandOptions): Promise<number> {
	const startedAt = performance.now();
	let reported = "";
	for (;;) {
		const status = readStatus(dataDir);
		if (status?.active === name && status.next === null) {
			write(`searches use ${name}\n`);
			return 0;
		}
		const waitedMs = performance.now() - startedAt;
		if ((status?.next?.name !== name && waitedMs > acceptMsMax) || waitedMs > waitMsMax) {
			write(`the server has not confirmed that it uses ${name}; it will continue the change whenever it runs\n`);
			return 1;
		}
		const progressText = status?.next?.name === name ? `${Math.floor(status.next.share * 100)} % of the vectors for ${name} are computed\n` : "";
		if (progressText !== "" && progressText !== reported) write(progressText);
		reported = progressText;
		await Bun.sleep(pollEveryMs);
	}
}

function statusText({ active, next, previous, known, complaint, at }: EmbedderStatus): string {
	const lines = [
		`searches use          ${active}`,
		...(next === null ? [] : [`computing vectors for ${next.name}: ${Math.floor(next.share * 100)} %, ${next.written} written`]),
		...(previous === null ? [] : [`keeping vectors of    ${previous}`]),
		`known                 ${known.join(", ")}`,
		...(complaint === null ? [] : [`request rejected      ${complaint}`]),
		`as of                 ${at}`,
	];
	return `${lines.join("\n")}\n`;
}
