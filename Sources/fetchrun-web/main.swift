import FetchWeb

WebProcess.main()
