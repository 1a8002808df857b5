// SPDX-License-Identifier: Apache-2.0
// Runs inside the real extension host with the real `vscode` API. The workbench calls run() when the URL's payload names it.
const assert = require('node:assert/strict');
const path = require('node:path');
const vscode = require('vscode');

const folder = () => vscode.workspace.workspaceFolders[0].uri.fsPath;
const file = (name) => vscode.Uri.file(path.join(folder(), name));

async function until(what, probe, ms = 120000) {
  for (const end = Date.now() + ms; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const value = await probe();
    if (value) {
      return value;
    }
  }
  throw new Error(`timed out: ${what}`);
}

async function opened(name) {
  const document = await vscode.workspace.openTextDocument(file(name));
  await vscode.window.showTextDocument(document);
  return document;
}

/** Collects what the debug adapter sends. */
function tracked() {
  const seen = [];
  const tracker = vscode.debug.registerDebugAdapterTrackerFactory('asclens', {
    createDebugAdapterTracker: () => ({ onDidSendMessage: (message) => seen.push(message) }),
  });
  return { seen, dispose: () => tracker.dispose() };
}

const tests = {
  async 'a missing stage is a diagnostic with a quick fix'() {
    const document = await opened('relu_scale.py');
    const [found] = await until('diagnostics', () => {
      const all = vscode.languages.getDiagnostics(document.uri).filter((item) => item.code === 'ASC201');
      return all.length > 0 && all;
    });
    assert.equal(found.range.start.line, 15);
    assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
    const actions = await vscode.commands.executeCommand(
      'vscode.executeCodeActionProvider',
      document.uri,
      found.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    const fix = actions.find((action) => action.edit);
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    await until('clean', () => vscode.languages.getDiagnostics(document.uri).length === 0);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  },

  async 'hover names dtype and shape'() {
    const document = await opened('launch.py');
    const text = document.getText();
    const position = document.positionAt(text.indexOf('x_local > 0') + 1);
    const shown = await until('hover', async () => {
      const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, position);
      const all = hovers.flatMap((hover) => hover.contents.map((content) => content.value)).join('\n');
      return all.includes('float32') && all;
    });
    assert.match(shown, /256/);
  },

  async 'lenses offer Run and Debug'() {
    const document = await opened('launch.py');
    const titles = await until('lenses', async () => {
      const lenses = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', document.uri, 10);
      const found = lenses.map((lens) => lens.command?.title ?? '');
      return found.some((title) => title.includes('Run')) && found;
    });
    assert.ok(titles.includes('Debug'));
  },

  async 'a session stops in the kernel, steps and ends with the status of the script'() {
    const document = await opened('launch.py');
    const line = document
      .getText()
      .split('\n')
      .findIndex((text) => text.includes('mask = x_local'));
    const point = new vscode.SourceBreakpoint(new vscode.Location(document.uri, new vscode.Position(line, 0)));
    vscode.debug.addBreakpoints([point]);
    const { seen, dispose } = tracked();
    const stops = () => seen.filter((m) => m.event === 'stopped' && !m.body.preserveFocusHint);
    const config = { type: 'asclens', request: 'launch', name: 'test', program: document.uri.fsPath };
    assert.ok(await vscode.debug.startDebugging(vscode.workspace.workspaceFolders[0], config));
    await until('stop', () => stops().length === 1);
    const session = vscode.debug.activeDebugSession;
    const { threadId } = stops()[0].body;
    const { stackFrames } = await session.customRequest('stackTrace', { threadId });
    assert.deepEqual([stackFrames[0].name, stackFrames[0].line], ['process', line + 1]);
    assert.equal(stackFrames[1].name, '<module>');
    await session.customRequest('next', { threadId });
    await until('step', () => stops().length === 2);
    const { result } = await session.customRequest('evaluate', {
      expression: 'x_local[0:2]',
      frameId: (await session.customRequest('stackTrace', { threadId })).stackFrames[0].id,
    });
    assert.match(result, /^\[-1\./);
    vscode.debug.removeBreakpoints([point]);
    await session.customRequest('continue', { threadId });
    await until('end', () => seen.some((m) => m.event === 'terminated'));
    assert.equal(seen.find((m) => m.event === 'exited').body.exitCode, 0);
    dispose();
  },
};

exports.run = async () => {
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
      console.log(`ok - ${name}`);
    } catch (error) {
      failed += 1;
      console.error(`not ok - ${name}\n${error.stack}`);
    }
  }
  console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
  if (failed > 0) {
    throw new Error(`${failed} test(s) failed`);
  }
};
