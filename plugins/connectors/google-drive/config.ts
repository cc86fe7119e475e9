/** The configuration of a Google Drive connection, and its validation. */

import { type Connector, type ConnectorConfig, fail } from "cairn-memory";
import { z } from "zod";
import { readConfig } from "../read-config.ts";

export const provider = "google-drive";

const foldersMax = 200;
const scopeAdvice = "it should be full, for all that the account sees, or selected, for folders that are chosen later";
const foldersAdvice = `it should have ids of folders, separated by commas, at most ${foldersMax}: what follows /folders/ in the address of one`;

const keys = {
	syncScope: z.enum(["full", "selected"], { error: scopeAdvice }).optional(),
	/** With folders nothing else is read. Shared drives are folders too. */
	folders: z
		.union([z.string(), z.array(z.string())], { error: foldersAdvice })
		.transform((value) => [...new Set((typeof value === "string" ? value.split(/[,\s]+/) : value).filter((id) => id !== ""))])
		.refine((ids) => ids.length <= foldersMax && ids.every((id) => /^[\w-]{8,128}$/.test(id)), { error: foldersAdvice })
		.default([]),
};
const metadataSchema = z.object(keys);
const configSchema = z.object({ ...keys, documentsMax: z.number().int().min(1) }).transform(withScope);
export type DriveConfig = z.infer<typeof configSchema>;

export function configure(metadata: Readonly<Record<string, unknown>>, documentsMax: number): DriveConfig {
	if (!Number.isInteger(documentsMax) || documentsMax < 1)
		throw fail("CONNECTION_INVALID", provider, "documentLimit", "it should be a whole number of at least 1");
	return withScope({ ...readConfig(provider, metadataSchema, metadata), documentsMax });
}

export function readDriveConfig(config: ConnectorConfig): DriveConfig {
	return readConfig(provider, configSchema, config);
}

/** @throws ServiceError of kind `invalid` if a resource has no `id` */
export const choose: NonNullable<Connector["resources"]>["choose"] = (config, chosen) =>
	readConfig(provider, configSchema, { ...config, syncScope: "selected", folders: chosen.map(({ id }) => (typeof id === "string" ? id : "?")) });

function withScope<Given extends { syncScope?: "full" | "selected" | undefined; folders: string[] }>(given: Given) {
	return { ...given, syncScope: given.folders.length > 0 ? ("selected" as const) : (given.syncScope ?? ("full" as const)) };
}
