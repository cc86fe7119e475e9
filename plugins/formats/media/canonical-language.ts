/** Languages as files and services name them → BCP 47: `eng`, `ger`, `english` and `en-us` alike. */

/** The old codes of libraries, which Matroska and ID3 prefer, where they differ from the ones that platforms know. */
const bibliographic: Readonly<Record<string, string>> = {
	alb: "sq",
	arm: "hy",
	baq: "eu",
	bur: "my",
	chi: "zh",
	cze: "cs",
	dut: "nl",
	fre: "fr",
	geo: "ka",
	ger: "de",
	gre: "el",
	ice: "is",
	mac: "mk",
	mao: "mi",
	may: "ms",
	per: "fa",
	rum: "ro",
	slo: "sk",
	tib: "bo",
	wel: "cy",
};
const unsaid: ReadonlySet<string> = new Set(["und", "zxx", "mul", "mis", "xxx", "qaa"]);
let names: ReadonlyMap<string, string> | null = null;

/** Null for what says nothing or is no language. */
export function canonicalLanguage(written: string | null | undefined): string | null {
	const plain = (written ?? "").trim().toLowerCase().replaceAll("_", "-");
	const tag = bibliographic[plain] ?? plain;
	if (unsaid.has(tag)) return null;
	if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/.test(tag)) return byName().get(tag) ?? null;
	try {
		return Intl.getCanonicalLocales(tag)[0] ?? null;
	} catch {
		return null;
	}
}

/** `english` → `en`. Made when it is asked for the first time: names of all codes of two letters that have one. */
function byName(): ReadonlyMap<string, string> {
	if (names !== null) return names;
	const english = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
	const letters = [..."abcdefghijklmnopqrstuvwxyz"];
	const codes = letters.flatMap((first) => letters.map((second) => first + second));
	names = new Map(
		codes
			.toReversed()
			.flatMap((code) => (english.of(code) === undefined ? [] : [[english.of(code)?.toLowerCase() ?? "", Intl.getCanonicalLocales(code)[0] ?? code] as const])),
	);
	return names;
}
