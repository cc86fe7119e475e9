/** What the tests' report says of them. The report is in JUnit's form: https://github.com/testmoapp/junitxml. */

import { SaxesParser } from "saxes";

export interface TestReport {
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
	/** A text for each test that failed: its file, its name, what was wrong and where. */
	readonly failures: readonly string[];
}

/** Null when the report was cut off or does not count. */
export function parseTestReport(xml: string): TestReport | null {
	const failures: string[] = [];
	let counts = { tests: Number.NaN, failures: Number.NaN, skipped: Number.NaN };
	let testcase = "";
	let failure: string | null = null;

	const parser = new SaxesParser();
	parser.on("opentag", ({ name, attributes: { tests, failures, skipped, file, classname, name: title } }) => {
		if (name === "testsuites") counts = { tests: Number(tests), failures: Number(failures), skipped: Number(skipped) };
		if (name === "testcase") testcase = `${file}: ${[classname, title].filter(Boolean).join(" > ")}`;
		if (name === "failure") failure = "";
	});
	parser.on("text", (text) => {
		if (failure !== null) failure += text;
	});
	parser.on("closetag", ({ name }) => {
		if (name !== "failure") return;
		failures.push(`FAILED ${testcase}\n${failure?.trim()}`);
		failure = null;
	});
	try {
		parser.write(xml).close();
	} catch {
		return null;
	}

	const passed = counts.tests - counts.failures - counts.skipped;
	return Number.isNaN(passed) ? null : { passed, failed: counts.failures, skipped: counts.skipped, failures };
}
