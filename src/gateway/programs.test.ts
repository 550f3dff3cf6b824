import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { describeGateway } from "./testing/describe-gateway.ts";
import { makeKey } from "./testing/factories.ts";
import { withLoopVendors, type Kind } from "./testing/loop-vendors.ts";
import { type LoopLog, playToolLoop, type Turn } from "./testing/tool-loop-vendor.ts";

const answer = "Both files are there.";
/** where the programs' commands are */
const commands = process.env["GATEHOUSE_TEST_PROGRAMS"] ?? "";

interface Start {
  readonly address: string;
  readonly key: string;
  readonly model: string;
  /** a folder of its own, where it also works */
  readonly home: string;
}

interface Program {
  /** the tools that the model calls are the program's own */
  readonly turns: readonly Turn[];
  readonly start: (start: Start) => Promise<{ command: string; args: string[]; env: Record<string, string> }>;
}

const loop = (...calls: Turn["calls"][]): Turn[] => [
  ...calls.map((each, index) => ({ thought: `Step ${index + 1}.`, calls: each })),
  { thought: "Done.", calls: [], text: answer },
];
const run = (cmd: string) => ({ name: "exec_command", args: { cmd } });
const bash = (command: string) => ({ name: "Bash", args: { command, description: "write" } });

const programs: Record<string, Program> = {
  codex: {
    turns: loop([run("echo a > one.txt")], [run("echo b > two.txt"), { name: "get_goal", args: {} }]),
    async start({ address, key, model, home }) {
      const config = `
model = "${model}"
model_provider = "gatehouse"
model_reasoning_effort = "high"
[model_providers.gatehouse]
name = "Gatehouse"
base_url = "${address}/v1"
env_key = "GATEHOUSE_API_KEY"
wire_api = "responses"
`;
      await writeFile(join(home, "config.toml"), config);
      const sandbox = ["--sandbox", "danger-full-access", "--skip-git-repo-check"];
      return {
        command: "codex",
        args: ["exec", "--json", ...sandbox, "Write two files"],
        env: { CODEX_HOME: home, GATEHOUSE_API_KEY: key },
      };
    },
  },
  claude: {
    turns: loop([bash("echo a > one.txt")], [bash("echo b > two.txt"), bash("ls")]),
    start: async ({ address, key, model }) => ({
      command: "claude",
      args: ["-p", "Write two files", "--model", model, "--output-format", "json", "--allowedTools", "Bash"],
      env: {
        ANTHROPIC_BASE_URL: address,
        ANTHROPIC_AUTH_TOKEN: key,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        MAX_THINKING_TOKENS: "2000",
      },
    }),
  },
};

/** Whatever else a program would like to reach is not there. */
const closedProxy = "http://127.0.0.1:9";
const loopbackOnly = { HTTPS_PROXY: closedProxy, HTTP_PROXY: closedProxy, NO_PROXY: "127.0.0.1,localhost" };

describeGateway("an agent as it is installed writes two files in three turns", (gateway) => {
  const vendors = withLoopVendors(gateway);
  let home = "";
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "gatehouse-agent-"));
    return async () => await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  describe.each(Object.entries(programs))("%s", (_, { turns, start }) => {
    it.each(Object.keys(vendors) as Kind[])("at %s", async (kind) => {
      const { key } = await makeKey(gateway());
      const log: LoopLog = { refused: [], thoughts: [] };
      vendors[kind]().answer(playToolLoop(log, turns));
      const { command, args, env } = await start({ address: gateway().url, key, model: `acme/${kind}`, home });
      const printed = await new Promise<string>((resolve) => {
        const options = {
          cwd: home,
          timeout: 120_000,
          env: { PATH: `${commands}:${process.env["PATH"]}`, HOME: home, ...loopbackOnly, ...env },
        };
        const child = execFile(join(commands, command), args, options, (error, stdout, stderr) =>
          resolve(`${stdout}\n${stderr}\n${error?.message ?? ""}`),
        );
        child.stdin?.end();
      });
      expect(printed).toContain(answer);
      expect(log.refused).toEqual([]);
      expect(log.thoughts.at(-1)).toBe(kind === "OpenAI" && command === "claude" ? 0 : 2);
    });
  });
});
