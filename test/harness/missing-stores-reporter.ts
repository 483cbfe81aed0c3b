// The last line of a test run on a machine without PostgreSQL or Redis: which half of the suite did not run.

export default class MissingStoresReporter {
  onRunComplete(): void {
    process.stderr.write(
      '\nSKIPPED: the project postgres+redis, because PostgreSQL or Redis does not answer (CONTRIBUTING.md, Tests).\n',
    );
  }
}
