/**
 * Makes one file that runs without anything installed: `bun scripts/make-executable.ts FILE [--target bun-linux-x64]`. It is Bun with
 * the launcher in it, and the package with all it needs as an archive, from the packages of this clone; nothing is fetched but, for
 * another target, that target's Bun.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { rootFolder } from "./checks.ts";
import { packProgram } from "./executable/pack-program.ts";

const { values, positionals } = parseArgs({ args: process.argv.slice(2), options: { target: { type: "string" } }, allowPositionals: true });
const [file] = positionals;
if (file === undefined) throw new Error("say the file to make");

const work = await mkdtemp(join(tmpdir(), "cairn-executable-"));
try {
	const { archive, digest } = await packProgram(rootFolder, values.target?.replace(/^bun-/, "") ?? `${process.platform}-${process.arch}`);
	const archiveFile = join(work, "program.tar.zst");
	await Bun.write(archiveFile, archive);
	const made = await Bun.build({
		entrypoints: [join(rootFolder, "server/executable/launcher.ts")],
		compile: { outfile: file, ...(values.target === undefined ? {} : { target: values.target as "bun-linux-x64" }) },
		minify: true,
		plugins: [
			{
				name: "the archive",
				setup: (build) => {
					build.onLoad({ filter: /server[/\\]executable[/\\]embedded\.ts$/ }, () => ({
						loader: "ts",
						contents: `import file from ${JSON.stringify(archiveFile)} with { type: "file" };\nexport const digest = ${JSON.stringify(digest)};\nexport const archive = () => Bun.file(file).bytes();\n`,
					}));
				},
			},
		],
	});
	if (!made.success) throw new AggregateError(made.logs, "it could not be made");
	console.log(`${file}: ${(Bun.file(file).size / 1e6).toFixed(0)} MB, of it ${(archive.length / 1e6).toFixed(0)} MB the package ${digest}`);
} finally {
	await rm(work, { recursive: true, force: true });
}
