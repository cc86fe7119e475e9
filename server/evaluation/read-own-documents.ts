/** Reads what a data folder holds, to make questions of it. The server must not be running: a folder has one owner. */

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

/** The newest first. @param container null for all */
export async function readOwnDocuments(settings: Settings, config: Config, container: string | null, documentsMax: number): Promise<readonly OwnDocument[]> {
	if (!existsSync(settings.dataDir)) throw fail("INPUT_INVALID", `there is no data folder ${settings.dataDir}`);
	const world = createWorld({ log: createLog({ level: "error", write: (line) => process.stderr.write(line) }) });
	const { parts, stop } = await compose({ settings, config, world });
	try {
		await parts.storage.migrate();
		const found: OwnDocument[] = [];
		for (const { id } of await parts.storage.accounts.organisations()) {
			found.push(...(await readTenant(parts.storage.organisation(id), container, documentsMax - found.length)));
		}
		return found;
	} finally {
		await stop();
	}
}

async function readTenant({ documents }: TenantStore, container: string | null, documentsMax: number): Promise<readonly OwnDocument[]> {
	const scope = { ...wholeOrganisation, containerTags: container === null ? [] : [container] };
	const found: OwnDocument[] = [];
	while (found.length < documentsMax) {
		const page = { offset: found.length, limit: Math.min(pageSize, documentsMax - found.length), sort: "createdAt", order: "desc" } as const;
		const listed = (await documents.list(scope, ["done"], page, true)).documents;
		for (const document of listed) {
			const whole = document.isTextLeftOut ? ((await documents.get(document.id)) ?? document) : document;
			found.push({ id: whole.id, title: whole.findings.title, text: readableText(whole) ?? "" });
		}
		if (listed.length < page.limit) break;
	}
	return found;
}
