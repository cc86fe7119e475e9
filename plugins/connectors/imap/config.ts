/** The configuration of an IMAP connection, and its validation. */

import type { Connector, ConnectorConfig } from "cairn-memory";
import { z } from "zod";
import { configureWith, readConfig } from "../read-config.ts";

export const provider = "imap";
export const secrets = ["password"] as const;

const mailboxesMax = 200;
/** RFC 8314: IMAP that begins with TLS. */
const defaultPort = 993;
const hostAdvice = "it is required: the name of a mail server, such as imap.example.com";
const portAdvice = "it should be a port, such as 993";
const userAdvice = "it is required: the name that signs in, mostly an address, with at most 500 characters";
const passwordAdvice = "it is required: an app password, with at most 1000 characters";
const tlsAdvice = "it should be true or false";
const mailboxesAdvice = `it should have names of mailboxes, separated by commas or as a list, at most ${mailboxesMax}: INBOX, Archive/2026`;
/** A command ends with a line. */
const oneLine = (lengthMax: number) => new RegExp(`^[^\\u0000\\r\\n]{1,${lengthMax}}$`);

const keys = {
	host: z
		.string({ error: hostAdvice })
		.regex(/^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])$/i, { error: hostAdvice })
		.transform((host) => host.toLowerCase()),
	port: z
		.union(
			[
				z.number(),
				z
					.string()
					.regex(/^\d{1,5}$/)
					.transform(Number),
			],
			{ error: portAdvice },
		)
		.refine((port) => Number.isInteger(port) && port >= 1 && port <= 65_535, { error: portAdvice })
		.default(defaultPort),
	username: z.string({ error: userAdvice }).regex(oneLine(500), { error: userAdvice }),
	password: z.string({ error: passwordAdvice }).regex(oneLine(1_000), { error: passwordAdvice }),
	/** False only for a host that the operator allows: the guard sees to it. */
	tls: z.boolean({ error: tlsAdvice }).default(true),
	/** With mailboxes nothing else is read. */
	mailboxes: z
		.union([z.string(), z.array(z.string())], { error: mailboxesAdvice })
		.transform((value) => [...new Set((typeof value === "string" ? value.split(/[,\n]/) : value).map((name) => name.trim()).filter((name) => name !== ""))])
		.refine((names) => names.length <= mailboxesMax && names.every((name) => oneLine(1_000).test(name)), { error: mailboxesAdvice })
		.default([]),
};
const metadataSchema = z.object(keys);
const configSchema = z.object({ ...keys, documentsMax: z.number().int().min(1) });
export type ImapConfig = z.infer<typeof configSchema>;

export function configure(metadata: Readonly<Record<string, unknown>>, documentsMax: number): ImapConfig {
	return configureWith(provider, metadataSchema, metadata, documentsMax);
}

export function readImapConfig(config: ConnectorConfig): ImapConfig {
	return readConfig(provider, configSchema, config);
}

/** @throws ServiceError of kind `invalid` if a resource has no `id` */
export const choose: NonNullable<Connector["resources"]>["choose"] = (config, chosen) =>
	readConfig(provider, configSchema, { ...config, mailboxes: chosen.map(({ id }) => id) });
