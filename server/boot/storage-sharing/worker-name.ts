/** The name of this program among the workers of a storage. */

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { StoragePlugin } from "../../../core/ports/storage.ts";
import type { Settings } from "../../settings/settings.ts";

/**
 * Machine and port, which no two programs have at once, so that a program that is started again takes back at once what it held. With a
 * free port it has a new name each time, and what it held comes back when the leases expire. Null where it is the only worker.
 */
export function workerName({ port }: Pick<Settings, "port">, { supports }: Pick<StoragePlugin, "supports">): string | null {
	return supports.manyWriters ? `${hostname()}:${port === 0 ? randomUUID() : port}` : null;
}
