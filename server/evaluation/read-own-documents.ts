/** Reads the documents of a data folder, to make questions from them. The server must not be running: only one process may open a data folder. */

import { existsSync } from "node:fs";
import { fail } from "../../core/errors/fail.ts";
import { readableText } from "../../core/model/document.ts";
import { wholeOrganisation } from "../../core/model/scope.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { TenantStore } from "../../core/ports/storage.ts";
import { createLog } from "../boot/log.ts";
import { createWorld } from "../boot/world.ts";
import { compose } from "../compose.ts";
import type { Settings } from "../settings/settings.ts";
import type { OwnDocument } from "./own-questions.ts";

const pageSize = 100;

/** The newest documents first. @param container null for the documents of all containers */
export async function readOwnDocuments(settings: Settings, config: Config, container: string | null, documentsMax: number): Promise<readonly OwnDocument[]> {
	if (!existsSync(settings.dataDir)) throw fail("INPUT_INVALID", `there is no data folder ${settings.dataDir}`);
	const world = createWorld({ log: createLog({ level: "error", write: (line) => process.stderr.write(line) }) });
	const { parts, stop } = await compose({ settings, config, world });
	try {
		await parts.storage.migrate();
		const collected: OwnDocument[] = [];
		for (const { id } of await parts.storage.accounts.organisations()) {
			collected.push(...(await readTenant(parts.storage.organisation(id), container, documentsMax - collected.length)));
		}
		return collected;
	} finally {
		await stop();
	}
}

async function readTenant({ documents }: TenantStore, container: string | null, documentsMax: number): Promise<readonly OwnDocument[]> {
	const scope = { ...wholeOrganisation, containerTags: container === null ? [] : [container] };
	const collected: OwnDocument[] = [];
	while (collected.length < documentsMax) {
		const page = { offset: collected.length, limit: Math.min(pageSize, documentsMax - collected.length), sort: "createdAt", order: "desc" } as const;
		const listedDocuments = (await documents.list(scope, ["done"], page, true)).documents;
		for (const document of listedDocuments) {
			const complete = document.isTextLeftOut ? ((await documents.get(document.id)) ?? document) : document;
			collected.push({ id: complete.id, title: complete.findings.title, text: readableText(complete) ?? "" });
		}
		if (listedDocuments.length < page.limit) break;
	}
	return collected;
}
