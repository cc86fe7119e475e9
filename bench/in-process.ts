/** The same plugins on the same folder without a server: what a search costs before HTTP comes to it. */

import type { OrganisationId } from "../core/model/id.ts";
import type { Parts } from "../core/parts.ts";
import { queryVariants } from "../core/search/query-variants.ts";
import { retrieveChunks } from "../core/search/retrieve.ts";
import { createService } from "../core/service.ts";
import { createWorld } from "../server/boot/world.ts";
import { compose } from "../server/compose.ts";
import { readSettings } from "../server/settings/read-settings.ts";
import { createStep } from "../test/doubles/step.ts";
import type { Question } from "./questions.ts";

export interface InProcess extends AsyncDisposable {
	/** The vector and SQL work alone: the question's vector, its nearest chunks, its words, one ranking. */
	readonly gather: (question: Question) => Promise<void>;
	/** The whole flow of `/v3/search`. */
	readonly search: (question: Question) => Promise<void>;
}

/** As many as the flow looks for to answer ten. */
const candidates = 40;

export async function openInProcess(folder: string): Promise<InProcess> {
	const settings = { ...readSettings({ env: { CAIRN_DATA_DIR: folder }, flags: [] }), config: null };
	const world = createWorld({ log: () => undefined });
	const { parts, stop } = await compose({ settings, config: {}, world });
	const organisation = await onlyOrganisation(parts);
	const service = createService(parts, { notify: () => undefined });
	const { embedder, storage } = parts;
	const signal = new AbortController().signal;
	return {
		gather: async ({ query }) => {
			const variants = await queryVariants(query.query, [], embedder, createStep());
			await retrieveChunks(variants, query.scope, candidates, storage.organisation(organisation), embedder.space);
		},
		search: async ({ query }) => {
			await service.searchDocuments({ organisation, role: "read", grants: null }, query, signal);
		},
		[Symbol.asyncDispose]: stop,
	};
}

async function onlyOrganisation({ storage }: Parts): Promise<OrganisationId> {
	const [first] = await storage.accounts.organisations();
	if (first === undefined) throw new Error("the folder has no organisation");
	return first.id;
}
