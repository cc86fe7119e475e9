/** The configuration of a Gmail connection, and its validation. */

import type { Connector, ConnectorConfig } from "cairn-memory";
import { z } from "zod";
import { configureWith, readConfig } from "../read-config.ts";

export const provider = "gmail";

const labelsMax = 100;
const labelsAdvice = `it should have ids of labels, separated by commas, at most ${labelsMax}: INBOX or Label_12, as GET /v3/connections/{id}/resources lists them`;

const keys = {
	/** With labels only threads are read that have one of them. */
	labels: z
		.union([z.string(), z.array(z.string())], { error: labelsAdvice })
		.transform((value) => [...new Set((typeof value === "string" ? value.split(/[,\s]+/) : value).filter((id) => id !== ""))])
		.refine((ids) => ids.length <= labelsMax && ids.every((id) => /^[\w-]{1,128}$/.test(id)), { error: labelsAdvice })
		.default([]),
};
const metadataSchema = z.object(keys);
const configSchema = z.object({ ...keys, documentsMax: z.number().int().min(1) });
export type GmailConfig = z.infer<typeof configSchema>;

export function configure(metadata: Readonly<Record<string, unknown>>, documentsMax: number): GmailConfig {
	return configureWith(provider, metadataSchema, metadata, documentsMax);
}

export function readGmailConfig(config: ConnectorConfig): GmailConfig {
	return readConfig(provider, configSchema, config);
}

/** @throws ServiceError of kind `invalid` if a resource has no `id` */
export const choose: NonNullable<Connector["resources"]>["choose"] = (config, chosen) =>
	readConfig(provider, configSchema, { ...config, labels: chosen.map(({ id }) => (typeof id === "string" ? id : "?")) });
