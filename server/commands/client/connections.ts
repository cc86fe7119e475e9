/** `cairn connections`: what is synced from outside, a new one, a sync now, and the end of one. */

import { z } from "zod";
import { type ClientCall, type ClientCommand, failWithUsage } from "./client-command.ts";
import { table } from "./table.ts";

const rows = z.array(
	z.object({
		...{ id: z.string(), provider: z.string(), containerTags: z.array(z.string()) },
		lastSyncRun: z.object({ status: z.string(), documentsSynced: z.number().nullish(), error: z.string().nullish() }).nullish(),
	}),
);
const created = z.object({ id: z.string(), authLink: z.string().nullish(), userCode: z.string().nullish() });

export const connections: ClientCommand = {
	usage: "[add PROVIDER NAME=VALUE … | sync PROVIDER | remove ID]",
	description: "lists connections, makes one for the container, syncs those of a provider now, or removes one with its documents",
	options: {
		"keep-documents": { type: "boolean", description: "remove leaves its documents" },
		device: { type: "boolean", description: "add gives a code to be typed in at any other device, where the provider has that" },
	},
	run: async (call) => {
		const [action, which, ...more] = call.args;
		if (action === undefined) await list(call);
		else if (action === "add" && which !== undefined) await create(which, more, call);
		else if (action === "sync" && which !== undefined && more.length === 0) {
			await call.api.ask("POST", `/v3/connections/${encodeURIComponent(which)}/import`, tagsOf(call));
			call.print({ provider: which }, [`syncing: ${which}`]);
		} else if (action === "remove" && which !== undefined && more.length === 0) {
			const isKept = call.options["keep-documents"] === true;
			const answer = await call.api.ask("DELETE", `/v3/connections/${encodeURIComponent(which)}?deleteDocuments=${!isKept}`);
			call.print(answer, [`removed: ${which}`]);
		} else failWithUsage("connections", connections);
		return 0;
	},
};

async function list(call: ClientCall): Promise<void> {
	const answer = await call.api.ask("POST", "/v3/connections/list", tagsOf(call));
	const lines = rows.parse(answer).map(({ id, provider, containerTags, lastSyncRun }) => {
		const synced = lastSyncRun?.documentsSynced == null ? "" : `${lastSyncRun.documentsSynced} documents`;
		return [id, provider, containerTags.join(","), lastSyncRun?.status ?? "not synced yet", synced, lastSyncRun?.error ?? ""];
	});
	call.print(answer, lines.length === 0 ? ["there are no connections"] : table(lines));
}

/** Values are sent as text, which the providers read as numbers or booleans where they need them. */
async function create(provider: string, pairs: readonly string[], call: ClientCall): Promise<void> {
	if (pairs.some((pair) => pair.indexOf("=") < 1)) failWithUsage("connections", connections);
	const metadata = Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
	const answer = await call.api.ask("POST", `/v3/connections/${encodeURIComponent(provider)}`, {
		...{ ...tagsOf(call), metadata },
		...(call.options["device"] === true && { signIn: "device" }),
	});
	const { id, authLink, userCode } = created.parse(answer);
	const code = userCode ? [`and type in: ${userCode}`] : [];
	call.print(answer, [id, ...(authLink ? [`sign in here to go on: ${authLink}`, ...code] : [])]);
}

function tagsOf({ container }: ClientCall): object {
	return container === null ? {} : { containerTags: [container] };
}
