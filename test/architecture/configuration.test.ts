/** docs/configuration.md lists exactly the settings there are, with environment name, flag and default. */

import { expect, test } from "bun:test";
import { definitions } from "../../server/settings/definitions.ts";
import { builtinDefinitions } from "../../server/settings/plugin-settings.ts";
import { textOf } from "./source.ts";

const all = [...Object.values(definitions), ...builtinDefinitions];

const rows = [...(await textOf("docs/configuration.md")).matchAll(/^\| `([A-Z_]+)` \| `--([a-z-]+)` \| ([^|]+) \| ([^|]+) \|$/gm)];

test("every setting has its row, and every row its setting", () => {
	const listed = rows.map(([, env, flag]) => `${env} --${flag}`);
	expect(listed).toEqual(all.map(({ env, flag }) => `${env} --${flag}`));
});

/** Some go by the folder or the machine. */
test("a default that is a plain value stands as it is", () => {
	const plain = all.filter(({ env, fallback }) => typeof fallback !== "object" && !/DATA_DIR|PROCESSES|AT_ONCE/.test(env));
	expect(plain.length).toBeGreaterThan(5);
	for (const { env, fallback } of plain) expect(rows.find((row) => row[1] === env)?.[3]).toBe(`\`${fallback}\``);
});
