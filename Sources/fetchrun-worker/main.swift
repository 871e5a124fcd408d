import FetchSandbox

WorkerMain.run()
