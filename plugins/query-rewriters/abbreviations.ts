/** Rewrites a query: common abbreviations are expanded, and long forms are abbreviated. */

import { definePlugin, limits, type QueryRewriter } from "cairn-memory";

const rewritingsMax = 3;

/** Each abbreviation with its long forms, the most likely first. */
const table = `
AC: air conditioning | alternating current
AI: artificial intelligence
API: application programming interface
AR: augmented reality | accounts receivable
ASAP: as soon as possible
ATM: automated teller machine
B2B: business to business
BI: business intelligence
CEO: chief executive officer
CFO: chief financial officer
CI: continuous integration
CLI: command line interface
CMS: content management system
CPU: central processing unit
CRM: customer relationship management
CSS: cascading style sheets
CSV: comma separated values
CTO: chief technology officer
CV: curriculum vitae | computer vision
DB: database
DIY: do it yourself
DNS: domain name system
DOB: date of birth
EOD: end of day
ERP: enterprise resource planning
ETA: estimated time of arrival
EU: European Union
FAQ: frequently asked questions
FYI: for your information
GDP: gross domestic product
GDPR: general data protection regulation
GP: general practitioner
GPU: graphics processing unit
GUI: graphical user interface
HQ: headquarters
HR: human resources | heart rate
HTML: hypertext markup language
HTTP: hypertext transfer protocol
ID: identifier | identity
IDE: integrated development environment
IoT: internet of things
IP: internet protocol | intellectual property
IT: information technology
JS: JavaScript
KPI: key performance indicator
LAN: local area network
LLM: large language model
ML: machine learning
MoM: minutes of meeting | month over month
MRI: magnetic resonance imaging
MVP: minimum viable product
NDA: non-disclosure agreement
NLP: natural language processing
OCR: optical character recognition
OKR: objectives and key results
ORM: object relational mapping
OS: operating system
PDF: portable document format
PM: project manager | product manager
PO: purchase order | product owner
POC: proof of concept
PR: pull request | public relations
PTO: paid time off
Q&A: questions and answers
QA: quality assurance
R&D: research and development
RAG: retrieval augmented generation
RAM: random access memory
REST: representational state transfer
RFC: request for comments
ROI: return on investment
SaaS: software as a service
SDK: software development kit
SEO: search engine optimization
SLA: service level agreement
SME: subject matter expert
SQL: structured query language
SSO: single sign-on
TB: tuberculosis | terabyte
TLS: transport layer security
TS: TypeScript
TTS: text to speech
UI: user interface
UK: United Kingdom
UN: United Nations
URL: uniform resource locator
US: United States
USB: universal serial bus
UX: user experience
VAT: value added tax
VM: virtual machine
VPN: virtual private network
VR: virtual reality
WFH: work from home | working from home
WHO: World Health Organization
XML: extensible markup language
2FA: two-factor authentication
`;
/** Abbreviations that are ordinary words in lower case, such as `IT` and `it`. */
const upperCaseOnly = new Set(["AR", "AI", "ID", "IT", "MOM", "PM", "PO", "RAG", "RAM", "REST", "US", "UN", "WHO", "AC", "TB", "TS", "CI", "IP", "OS", "PR"]);

interface Abbreviation {
	/** Matches the abbreviation. */
	readonly short: RegExp;
	/** Matches any of its long forms. */
	readonly long: RegExp;
	readonly shortForm: string;
	readonly longForms: readonly string[];
}

const abbreviations: readonly Abbreviation[] = table
	.trim()
	.split("\n")
	.map((line) => {
		const [shortForm = "", rest = ""] = line.split(": ");
		const longForms = rest.split(" | ");
		const flags = upperCaseOnly.has(shortForm.toUpperCase()) ? "gu" : "giu";
		return {
			shortForm,
			longForms,
			short: wholeWord(`${escapeRegex(shortForm)}(s?)`, flags),
			long: wholeWord(`(?:${longForms.map(longPattern).join("|")})(s?)`, "giu"),
		};
	});

const rewriter: QueryRewriter = {
	name: "abbreviations",
	rewrite: async (query) => {
		const rewritings = [
			replaceAll(query, (text, { short, longForms }) => text.replace(short, (_, s: string) => `${longForms[0] ?? ""}${s}`)),
			replaceAll(query, (text, { long, shortForm }) => text.replace(long, (_, s: string) => `${shortForm}${s}`)),
			replaceAll(query, (text, { short, longForms }) => text.replace(short, (_, s: string) => `${longForms[1] ?? longForms[0] ?? ""}${s}`)),
		];
		const distinct = [...new Set(rewritings)].filter((text) => text !== query && text.trim() !== "" && text.length <= limits.queryCharactersMax);
		return distinct.slice(0, rewritingsMax);
	},
};

export default definePlugin({
	name: "query-rewriter-abbreviations",
	contract: 1,
	start: () => ({ queryRewriter: [rewriter] }),
});

/** Applies every abbreviation in turn. No long form contains another abbreviation as a word, so nothing is replaced twice. */
function replaceAll(query: string, change: (text: string, abbreviation: Abbreviation) => string): string {
	return abbreviations.reduce(change, query);
}

function wholeWord(pattern: string, flags: string): RegExp {
	return new RegExp(`(?<![\\p{L}\\p{N}&/.-])${pattern}(?![\\p{L}\\p{N}&/-])`, flags);
}

function escapeRegex(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Spaces and hyphens match each other: `single sign on`. */
function longPattern(text: string): string {
	return escapeRegex(text).replace(/[ -]/g, "[ -]");
}
