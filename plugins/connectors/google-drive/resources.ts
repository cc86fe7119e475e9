/** Lists the folders from which a client chooses: My Drive and the shared drives, and the folders in each. */

import type { Connector, Step } from "cairn-memory";
import { z } from "zod";
import type { GoogleApi } from "../google-api.ts";
import { isFolder } from "./file.ts";
import { listDrives, listFiles, readEntry } from "./survey.ts";

type Listing = NonNullable<Connector["resources"]>["list"];

const rootSchema = z.object({ id: z.string(), name: z.string() });

/** @param page its `parent` is the id of a folder or shared drive */
export async function listResources({ page, perPage, parent }: Parameters<Listing>[1], api: GoogleApi, step: Step): ReturnType<Listing> {
	const all = parent === null ? await listTop(api) : await listInside(parent, api, step);
	return { resources: all.slice((page - 1) * perPage, page * perPage), total: all.length };
}

async function listTop(api: GoogleApi) {
	// `root` is another name of the folder that everything of the account's own lies in.
	const root = await api.json("/files/root", { fields: "id,name" }, rootSchema);
	const drives = (await listDrives(api)).map(({ id, name }) => ({ id, name, type: "shared_drive" }));
	return [...(root === null ? [] : [{ ...root, type: "my_drive" }]), ...drives];
}

async function listInside(parent: string, api: GoogleApi, step: Step) {
	const folder = /^[\w-]{1,128}$/.test(parent) ? await readEntry(parent, api) : null;
	if (folder === null) return [];
	const found: { id: string; name: string; type: string; parent_id: string }[] = [];
	const q = `'${parent}' in parents and mimeType = 'application/vnd.google-apps.folder' and trashed = false`;
	for await (const page of listFiles(q, folder.driveId ?? null, api, step))
		found.push(...page.files.filter(isFolder).map(({ id, name }) => ({ id, name, type: "folder", parent_id: parent })));
	return found.toSorted((a, b) => a.name.localeCompare(b.name));
}
